import TestSupport
import Testing

/// The stack that `adjust` and `revert` change if the command has no `--variant`.
@Suite struct StackChoiceTests {
  private let place: Workplace
  private var photo: String { place.path("photos/a.jpg") }

  init() throws {
    place = try Workplace()
    try place.recipe("web")
    _ = try place.run("web")
  }

  @Test func aCommandWithoutAVariantChangesTheOnlyStack() throws {
    let adjusted = try Command.run(["adjust", photo, "--set", "exposure.stops=1"])
    #expect(adjusted.code == 0, "\(adjusted.messages)")
    #expect(try place.reasons("web").reasons == ["a.jpg": "rendered"])
    let reverted = try Command.run(["revert", photo])
    #expect(reverted.code == 0)
    #expect(reverted.output.contains("a.jpg: reverted (org.example.web 1.0.0"))
    #expect(try place.names() == ["a.jpg", "a.jpg.phbatch.json"])
  }

  @Test func aCommandWithoutAVariantListsTheStacksIfThereAreSeveral() throws {
    try place.recipe("small", variant: "small", output: #""name": "small", "format": "png""#)
    _ = try place.run("small")
    let before = try place.snapshot()
    let commands = [
      (["adjust", photo, "--set", "exposure.stops=1"], 64), (["revert", photo], 66),
    ]
    for (command, code) in commands {
      let result = try Command.run(command)
      #expect(result.code == Int32(code))
      let text = result.output + result.messages
      #expect(text.contains("variant 'web' (org.example.web 1.0.0)"))
      #expect(text.contains("variant 'small' (org.example.small 1.0.0)"))
      #expect(text.contains("hint: name a stack with --variant"))
      #expect(try place.snapshot() == before)
    }
    let named = try Command.run(["revert", photo, "--variant", "none"])
    #expect(named.code == 66)
    #expect(
      named.output.contains("'none' has no edits; stacks with edits: variant 'web'"))
  }

  /// The main stack is changed even if there are others.
  @Test func aCommandWithoutAVariantChangesTheMainStackIfThereIsOne() throws {
    try place.recipe("main", variant: nil, output: #""name": "main", "format": "png""#)
    _ = try place.run("main")
    let reverted = try Command.run(["revert", photo])
    #expect(reverted.output.contains("org.example.main 1.0.0 reverted"))
  }

  /// `revert` fails if there is no edit to revert, so that a script does not treat the command as
  /// successful.
  @Test func revertFailsIfThereIsNoEditToRevert() throws {
    #expect(try Command.run(["revert", photo]).code == 0)
    let again = try Command.run(["revert", photo])
    #expect(again.code == 66)
    #expect(again.output == "a.jpg: skipped (the photo has no edits)\n")
    #expect(again.messages.contains("there is nothing to revert"))
    let json = try Command.run(["revert", photo, "--quiet", "--format", "json"])
    #expect(json.code == 66)
    #expect(try json.events.last?["exit"] as? Int == 66)
    #expect(try json.events.last?["error"] != nil)
  }
}
