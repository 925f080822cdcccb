import Foundation
import TestSupport
import Testing

/// `phbatch repair`: runs over a repaired library find no damaged sidecar.
@Suite struct RepairTests {
  private func damaged() throws -> Workplace {
    let place = try Workplace()
    try place.recipe()
    _ = try place.run()
    let photo = place.path("photos/a.jpg")
    let adjusted = try Command.run([
      "adjust", photo, "--set", "exposure.stops=2", "--focal-point", "0.25,0.5",
    ])
    #expect(adjusted.code == 0)
    _ = try place.run()
    try place.edit("a.jpg") { String($0.dropLast(40)) }
    return place
  }

  /// The run after a repair renders the photo again, because the recipe has changed since the
  /// rendition was written; also a run of only this photo, and a shard of a plan.
  @Test(arguments: ["all", "one", "shard"]) func theRunAfterARepairReplacesTheRendition(
    _ part: String
  ) throws {
    let place = try damaged()
    let rendition = try place.read("a.web.jpg")
    try place.recipe(output: #""name": "web", "format": "jpeg", "quality": 40"#)
    let repaired = try Command.run(["repair", place.library])
    #expect(repaired.code == 0)
    #expect(repaired.output.contains("kept: exposure.stops, focal point"))
    let (recipe, plan) = (place.path("recipe.json"), place.path("web.plan"))
    let commands =
      switch part {
      case "all": [["run", recipe, place.library]]
      case "one": [["run", recipe, place.path("photos/a.jpg")]]
      default:
        [
          ["plan", recipe, place.library, "-o", plan], ["run", "--plan", plan, "--shard", "0"],
          ["merge", plan],
        ]
      }
    for command in commands {
      let done = try Command.run(command)
      #expect(done.code == 0, "\(done.messages)")
    }
    #expect(try place.sidecar("a.jpg").contains(#""exposure.stops": 2"#))
    #expect(try place.sidecar("a.jpg").contains(#""focalPoint""#))
    #expect(try place.read("a.web.jpg") != rendition)
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
    // `undo` restores the earlier rendition.
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try place.read("a.web.jpg") == rendition)
  }

  @Test func undoTakesBackARepair() throws {
    let place = try damaged()
    let before = try place.snapshot().mapValues(\.bytes)
    #expect(try Command.run(["repair", place.library]).code == 0)
    let undone = try Command.run(["undo", place.library])
    #expect(undone.code == 0, "\(undone.messages)")
    #expect(try place.snapshot().mapValues(\.bytes) == before)
  }

  /// `repair` does not keep the settings of a sidecar that was copied from another photo.
  @Test func repairDropsSettingsThatBelongToAnotherPhoto() throws {
    let place = try damaged()
    try place.addPhoto("b.jpg", width: 30)
    try place.folder.write(try place.read("a.jpg.phbatch.json"), to: "photos/b.jpg.phbatch.json")
    let repaired = try Command.run(["repair", place.path("photos/b.jpg")])
    #expect(repaired.output.contains("the next run creates a new one"))
    #expect(try !place.names().contains("b.jpg.phbatch.json"))
  }

  /// The names only begin with the name of the photo.
  @Test(arguments: [false, true]) func aDamagedSidecarDoesNotConcernOtherPhotos(
    _ isRepaired: Bool
  ) throws {
    let place = try damaged()
    let others = ["a-2.jpg", "a_0001.jpg", "a b.jpg"]
    for (number, name) in others.enumerated() { try place.addPhoto(name, width: 20 + number) }
    if isRepaired {
      #expect(try Command.run(["repair", place.library]).code == 0)
      let again = try Command.run(["repair", place.library])
      #expect(again.output.contains("a.jpg: skipped (the photo's sidecar is not damaged)"))
    }
    let reasons = try place.reasons().reasons
    #expect(others.map { reasons[$0] } == ["rendered", "rendered", "rendered"], "\(reasons)")
  }

  /// The file has neither the digest nor the mark of a rendition; its path shows that it may be one.
  @Test func aFileAtThePathOfAWebSetIsNotEditedWhileTheSidecarIsDamaged() throws {
    let place = try Workplace()
    try place.recipe(
      output: #"""
        "name": "web", "kind": "webSet", "widths": [30], "formats": ["jpeg"],
        "placeholder": false, "path": "{stem}-{width}.{digest:10}.{ext}"
        """#)
    #expect(try place.run().code == 0)
    let name = try #require(try place.names().first { $0.hasPrefix("a-30.") })
    try place.addPhoto(name, width: 30)
    try place.edit("a.jpg") { String($0.dropLast(40)) }
    try FileManager.default.removeItem(atPath: place.path("photos/.phbatch"))
    let before = try place.snapshot()
    #expect(
      try place.reasons().reasons == ["a.jpg": "corrupt-sidecar", name: "corrupt-sidecar"])
    #expect(try place.snapshot() == before)
  }
}
