import Foundation
import TestSupport
import Testing

/// An original is missing and its sidecar exists: every command reports the original, and none
/// removes a file.
@Suite struct MissingOriginalTests {
  private static func orphaned() throws -> Workplace {
    let place = try Workplace(["a.jpg", "b.jpg", "trip/c.jpg"])
    try place.recipe()
    #expect(try place.run().code == 0)
    for name in ["a.jpg", "trip/c.jpg"] {
      try FileManager.default.removeItem(atPath: place.path("photos/\(name)"))
    }
    return place
  }

  @Test func everyRunReportsAMissingOriginal() throws {
    let place = try Self.orphaned()
    let before = try place.snapshot()
    for _ in 0..<3 {
      let (reasons, code) = try place.reasons()
      #expect(code == 4)
      #expect(
        reasons == [
          "a.jpg": "original-missing", "b.jpg": "up-to-date", "trip/c.jpg": "original-missing",
        ])
    }
    let told = try place.run()
    #expect(told.messages.contains("a.jpg: original-missing"))
    #expect(told.messages.contains("phbatch relink"))
    #expect(try place.run("recipe", "--check").code == 4)
    #expect(try place.run("recipe", "--verify").code == 4)
    #expect(try place.snapshot() == before)
  }

  /// All other photos are processed, even with `--atomic`.
  @Test func aMissingOriginalDoesNotStopTheOtherPhotos() throws {
    let place = try Self.orphaned()
    try place.recipe(stops: 1)
    let orphan = try place.read("a.web.jpg")
    let (reasons, code) = try place.reasons("recipe", "--atomic")
    #expect(code == 4)
    #expect(reasons["b.jpg"] == "rendered")
    #expect(reasons["a.jpg"] == "original-missing")
    #expect(try place.read("a.web.jpg") == orphan)
    try FileManager.default.copyItem(
      atPath: place.path("photos/b.jpg"), toPath: place.path("photos/a.jpg"))
    try FileManager.default.copyItem(
      atPath: place.path("photos/b.jpg"), toPath: place.path("photos/trip/c.jpg"))
    #expect(try place.reasons().code == 0)
  }

  @Test func onlySelectedMissingOriginalsAreReported() throws {
    let place = try Self.orphaned()
    try place.recipe(more: #""select": { "include": ["trip/**"] },"#)
    let reasons = try place.reasons().reasons
    #expect(reasons["trip/c.jpg"] == "original-missing")
    #expect(reasons["a.jpg"] == nil)
    try place.recipe()
    try place.folder.write("a.jpg\nnone.jpg\n", to: "list")
    let listed = try place.reasons("recipe", "--files-from", place.path("list")).reasons
    #expect(listed == ["a.jpg": "original-missing", "none.jpg": "file-missing"])
  }

  @Test func everyOtherCommandReportsAMissingOriginal() throws {
    let place = try Self.orphaned()
    let photo = place.path("photos/a.jpg")
    let before = try place.snapshot()
    for command in [
      ["status", place.library], ["history", photo], ["revert", photo, "--variant", "web"],
      ["adjust", photo, "--variant", "web", "--set", "exposure.stops=1"], ["undo", place.library],
      ["verify", place.library], ["repair", photo],
    ] {
      let result = try Command.run(command)
      #expect(result.code == 4, "\(command[0])")
      #expect(
        (result.output + result.messages).contains("original-missing"), "\(command[0])")
    }
    #expect(try Command.run(["history", photo]).output.contains("org.example.recipe 1.0.0"))
    #expect(try place.snapshot() == before)
    // A command for a folder skips its missing photos.
    let reverted = try Command.run(["revert", place.library, "--variant", "web"])
    #expect(reverted.code == 0)
    #expect(reverted.output.contains("b.jpg: reverted"))
    #expect(try place.names().contains("a.web.jpg"))
  }
}
