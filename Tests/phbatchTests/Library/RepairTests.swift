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
}
