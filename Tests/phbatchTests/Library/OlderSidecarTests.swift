import Foundation
import TestSupport
import Testing

/// A sidecar that comes back from a backup or another branch is older than the photo's renditions.
@Suite struct OlderSidecarTests {
  /// A library with a photo whose sidecar comes from an earlier run than its rendition.
  private func library(_ names: [String] = ["a.jpg"], variant: String? = "web") throws -> Workplace
  {
    let place = try Workplace(names)
    try place.recipe(variant: variant)
    #expect(try place.run().code == 0)
    let older = try names.map { try place.read("\($0).phbatch.json") }
    try place.recipe(variant: variant, stops: 1)
    #expect(try place.run().code == 0)
    for (name, bytes) in zip(names, older) {
      try place.folder.write(bytes, to: "photos/\(name).phbatch.json")
    }
    return place
  }

  /// The kind of the finding of `verify` for each file, and the exit code of `verify`.
  private func verify(_ place: Workplace) throws -> (kinds: [String: String], code: Int32) {
    let result = try Command.run(["verify", place.library, "--format", "json"])
    var kinds: [String: String] = [:]
    for event in try result.events {
      if let file = event["file"] as? String { kinds[file] = event["kind"] as? String }
    }
    return (kinds, result.code)
  }

  @Test(arguments: [0.5, 1, 2])
  func aRenditionNewerThanItsSidecarIsReportedAsSuperseded(_ stops: Double) throws {
    let place = try library()
    let before = try place.read("a.web.jpg")
    try place.recipe(stops: stops)
    #expect(try verify(place) == (["a.web.jpg": "stale"], 2))
    let status = try Command.run(["status", place.library])
    #expect(status.code == 2)
    #expect(status.output.contains("a rendition is not the recorded one, but phbatch wrote it"))
    #expect(status.output.contains("1 photo: 1 with superseded renditions"))
    let why = try Command.run(["status", place.library, "--why"])
    #expect(why.output.contains("rendition superseded"))
    let check = try place.run("recipe", "--check")
    #expect(check.code == 2)
    #expect(check.output.contains("rendition superseded"))
    #expect(try place.reasons() == (["a.jpg": "rendered"], 0))
    #expect(try place.read("a.web.jpg") == before || stops != 1)
    #expect(try place.reasons() == (["a.jpg": "up-to-date"], 0))
    #expect(try verify(place) == ([:], 0))
    // `undo` restores the newer rendition and the older sidecar.
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try place.read("a.web.jpg") == before)
    #expect(try verify(place).code == 2)
  }

  @Test func aRenditionThatWasChangedByHandIsStillKept() throws {
    let place = try library()
    let changed = try place.read("a.web.jpg") + [0]
    try place.folder.write(changed, to: "photos/a.web.jpg")
    #expect(try verify(place) == (["a.web.jpg": "modified"], 4))
    #expect(try place.reasons() == (["a.jpg": "modified"], 4))
    #expect(try place.read("a.web.jpg") == changed)
  }

  /// If the user copies another photo's rendition over a rendition, a run reports a change by hand,
  /// although the ledger records these bytes.
  @Test func aRenditionCopiedFromAnotherPhotoIsReportedAsChangedByHand() throws {
    let place = try Workplace(["a.jpg"])
    try place.addPhoto("b.jpg", width: 30)
    try place.recipe()
    #expect(try place.run().code == 0)
    try place.folder.write(try place.read("b.web.jpg"), to: "photos/a.web.jpg")
    #expect(try verify(place) == (["a.web.jpg": "modified"], 4))
    #expect(try place.reasons().reasons["a.jpg"] == "modified")
  }

  /// Without the ledger, phbatch cannot know that it wrote the newer rendition, so it keeps the
  /// file as a change by hand.
  @Test func withoutTheLedgerANewerRenditionIsKept() throws {
    let place = try library()
    try FileManager.default.removeItem(atPath: place.path("photos/.phbatch"))
    #expect(try verify(place) == (["a.web.jpg": "modified"], 4))
    #expect(try place.reasons() == (["a.jpg": "modified"], 4))
  }

  /// A rendition that is older than the sidecar is rendered again.
  @Test func anOlderRenditionIsRenderedAgain() throws {
    let place = try Workplace()
    try place.recipe()
    #expect(try place.run().code == 0)
    let older = try place.read("a.web.jpg")
    try place.recipe(stops: 1)
    #expect(try place.run().code == 0)
    let newer = try place.read("a.web.jpg")
    try place.folder.write(older, to: "photos/a.web.jpg")
    #expect(try place.reasons() == (["a.jpg": "rendered"], 0))
    #expect(try place.read("a.web.jpg") == newer)
  }

  /// An edit on top of a superseded rendition, which phbatch wrote but the sidecar does not record,
  /// is rendered again from the rendition that the sidecar records.
  @Test func anEditOnASupersededRenditionIsRenderedAgain() throws {
    let place = try library(variant: nil)
    try place.recipe("top", variant: nil, output: #""name": "top", "format": "jpeg""#)
    #expect(try place.reasons("top") == (["a.jpg": "rendered"], 0))
    #expect(try place.reasons("top") == (["a.jpg": "up-to-date"], 0))
    #expect(try verify(place) == ([:], 0))
  }

  @Test func theErrorForAVariantOfASupersededRenditionHasAHint() throws {
    let place = try library(variant: nil)
    try place.recipe(
      "small", variant: "small", from: "current", output: #""name": "small", "format": "jpeg""#)
    let run = try place.run("small")
    #expect(run.code == 4)
    #expect(run.messages.contains("a.jpg: base-missing"))
    #expect(run.messages.contains("hint: run the recipe of that rendition again"))
    #expect(try place.run().code == 0)
    #expect(try place.reasons("small") == (["a.jpg": "rendered"], 0))
  }

  @Test func aSupersededRenditionWithoutItsPhotoIsPruned() throws {
    let place = try library()
    try FileManager.default.removeItem(atPath: place.path("photos/a.jpg"))
    #expect(try Command.run(["prune", place.library, "--yes"]).code == 0)
    #expect(try place.names() == [])
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try place.names() == ["a.jpg.phbatch.json", "a.web.jpg"])
  }

  @Test func relinkMovesASupersededRenditionWithItsPhoto() throws {
    let place = try library()
    try FileManager.default.moveItem(
      atPath: place.path("photos/a.jpg"), toPath: place.path("photos/b.jpg"))
    #expect(try Command.run(["relink", place.library]).code == 0)
    #expect(try place.names() == ["b.jpg", "b.jpg.phbatch.json", "b.web.jpg"])
    #expect(try verify(place) == (["b.web.jpg": "stale"], 2))
  }
}
