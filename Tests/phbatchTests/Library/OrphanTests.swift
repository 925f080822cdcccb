import Foundation
import TestSupport
import Testing

/// Renditions that no sidecar records; a run never treats them as photos.
@Suite struct OrphanTests {
  private func remove(_ place: Workplace, _ names: String...) throws {
    for name in names { try FileManager.default.removeItem(atPath: place.path("photos/\(name)")) }
  }

  /// A library with the renditions of two recipes and without sidecars.
  private func library(_ settings: String = "") throws -> Workplace {
    let place = try Workplace()
    try place.recipe(output: #""name": "web", "format": "jpeg""# + settings)
    try place.recipe("full", variant: "full", output: #""name": "full", "format": "jpeg""#)
    #expect(try place.run().code == 0)
    try remove(place, "a.jpg.phbatch.json")
    return place
  }

  @Test func aRenditionIsNotTreatedAsAPhotoIfTheSidecarIsLost() throws {
    let place = try library()
    let before = try place.read("a.web.jpg")
    for reason in ["rendered", "up-to-date"] {
      let found = try place.reasons("full")
      #expect(found.reasons == ["a.jpg": reason, "a.web.jpg": "orphan"])
      #expect(found.code == 0)
    }
    let run = try place.run("full")
    #expect(
      run.output.contains("a.web.jpg: orphan (a rendition of 'a.jpg' without a record"))
    #expect(try place.names() == ["a.full.jpg", "a.jpg", "a.jpg.phbatch.json", "a.web.jpg"])
    let verified = try Command.run(["verify", place.library])
    #expect(verified.code == 0)
    #expect(verified.output.contains("a.web.jpg: orphan"))
    #expect(try Command.run(["status", place.library]).output.contains("a.web.jpg: orphan"))
    // A run of the recipe that made the file would write the same bytes, so the run records the
    // file as its rendition.
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try place.read("a.web.jpg") == before)
    #expect(try Command.run(["verify", place.library]).output.contains("all as recorded"))
  }

  /// Without the ledger, only the file's path shows that the file may be a rendition.
  @Test func aRenditionIsNotTreatedAsAPhotoIfTheStateFolderIsLost() throws {
    let place = try library(#", "metadata": "none""#)
    try remove(place, ".phbatch")
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    try remove(place, "a.jpg.phbatch.json", ".phbatch/published")
    let found = try place.run("full")
    #expect(found.output.contains("the path of the rendition 'web' of 'a.jpg'"))
    #expect(found.messages.contains("if it is a photo of its own, rename it"))
    #expect(try !place.names().contains("a.web.full.jpg"))
  }

  /// Several outputs of a web set give their renditions paths of one form, so no output is named.
  @Test func aFileThatTheRunTakesOverIsNoOrphan() throws {
    let place = try Workplace()
    let set = #""name": "set", "kind": "webSet", "widths": [20, 30], "formats": ["webp"]"#
    try place.recipe(output: set)
    #expect(try place.run().code == 0)
    try remove(place, "a.jpg.phbatch.json", ".phbatch")
    let due = try place.run("recipe", "--dry-run")
    #expect(due.output.contains("has the path of a rendition of 'a.jpg'"), "\(due.output)")
    let found = try place.run()
    #expect(found.output.hasPrefix("1 rendered (3 renditions"), "\(found.output)")
    #expect(!found.output.contains("orphan"), "\(found.output)")
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
  }

  /// Without the state folder, a rendition is recognized by its metadata, which contains the
  /// original's digest.
  @Test func aRenditionIsRecognizedByTheDigestInItsMetadata() throws {
    let place = try library()
    try remove(place, ".phbatch")
    let other = try place.run("full")
    #expect(
      other.output.contains("a.web.jpg: orphan (a rendition of 'a.jpg', or a copy of one, without"))
    #expect(try place.names() == ["a.full.jpg", "a.jpg", "a.jpg.phbatch.json", "a.web.jpg"])
    // A user may have changed a copy with another program, so `prune` removes it only if the
    // command names it.
    let rendition = try place.read("a.web.jpg")
    try place.folder.write(rendition + [0], to: "photos/a.web-mine.jpg")
    #expect(try Command.run(["prune", place.library, "--yes"]).code == 0)
    #expect(try place.names().contains("a.web-mine.jpg"))
    // In another library, the same file is a photo.
    let elsewhere = try Workplace([])
    try elsewhere.folder.write(rendition, to: "photos/a.web.jpg")
    try elsewhere.recipe()
    #expect(try elsewhere.reasons().reasons == ["a.web.jpg": "rendered"])
  }

  @Test func anotherFileAtTheOutputPathIsKeptAndReported() throws {
    let place = try library()
    try place.recipe(stops: 1)
    let before = try place.read("a.web.jpg")
    let run = try place.run()
    #expect(run.code == 4)
    #expect(run.messages.contains("a.jpg: occupied"))
    #expect(run.messages.contains("hint: 'phbatch prune --yes' moves it to the trash"))
    #expect(try place.read("a.web.jpg") == before)
    #expect(try Command.run(["prune", place.library, "--yes"]).code == 0)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
  }

  /// A photo at the path of a rendition is reported with a hint; `prune` moves it to the trash only
  /// if the user names it.
  @Test func aPhotoAtTheOutputPathIsPrunedOnlyIfItIsNamed() throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try place.addPhoto("a.web.jpg", width: 30)
    let before = try place.read("a.web.jpg")
    try place.recipe()
    let run = try place.run()
    #expect(run.code == 4)
    #expect(run.messages.contains("a.jpg: occupied"))
    #expect(run.messages.contains("if it is a photo of its own, rename it"))
    let pruned = try Command.run(["prune", place.library, "--yes"])
    #expect(pruned.output.contains("a.web.jpg: orphan"))
    #expect(try place.read("a.web.jpg") == before)
    // `undo` restores the file, but does not record it as a rendition, so `prune` reports it again.
    let file = place.path("photos/a.web.jpg")
    for _ in 0..<2 {
      #expect(try Command.run(["prune", file, "--yes"]).output.hasPrefix("a.web.jpg: pruned"))
      #expect(try Command.run(["undo", place.library]).code == 0)
      #expect(try Command.run(["prune", place.library]).output.contains("the file has the path"))
    }
    #expect(try Command.run(["prune", file, "--yes"]).code == 0)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered", "b.jpg": "up-to-date"])
  }

  /// A run does not use a sidecar that was copied from another photo, or one that names a rendition
  /// outside the library.
  @Test func aSidecarOfAnotherPhotoOrWithOutsidePathsIsReportedAsCorrupt() throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try place.recipe()
    _ = try place.run()
    try place.folder.write(try place.read("a.jpg.phbatch.json"), to: "photos/b.jpg.phbatch.json")
    try place.recipe(stops: 1)
    let (reasons, code) = try place.reasons()
    #expect(reasons["b.jpg"] == "corrupt-sidecar" && reasons["a.jpg"] == "rendered")
    #expect(code == 4)
    try place.edit("a.jpg") { $0.replacing(#""a.web.jpg""#, with: #""../outside.jpg""#) }
    #expect(try place.reasons().reasons["a.jpg"] == "corrupt-sidecar")
    let verified = try Command.run(["verify", place.library])
    #expect(verified.output.contains("a.jpg.phbatch.json: corrupt-sidecar"))
    #expect(verified.output.contains("b.jpg.phbatch.json: corrupt-sidecar"))
  }
}
