import TestSupport
import Testing

/// `phbatch revert` of edits whose last settings no run has rendered.
@Suite struct PendingRevertTests {
  private let place: Workplace
  private var photo: String { place.path("photos/a.jpg") }

  init() throws {
    place = try Workplace()
    try place.recipe()
  }

  private func command(_ arguments: String...) throws {
    let result = try Command.run([arguments[0], photo] + arguments.dropFirst())
    #expect(result.code == 0, "\(result.messages)")
  }

  /// The setting is new, or the one that a run has rendered is removed.
  @Test(arguments: [false, true]) func aRunDoesNotRepeatTheRevertedEdit(
    _ isRemoved: Bool
  ) throws {
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    try command("adjust", "--variant", "web", "--set", "exposure.stops=1")
    if isRemoved {
      #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
      try command("adjust", "--variant", "web", "--unset", "exposure.stops")
    }
    try command("revert", "--variant", "web")
    #expect(try place.reasons().reasons == ["a.jpg": "reverted"])
    let sidecar = try place.sidecar("a.jpg")
    #expect(sidecar.contains(#""renderedOverrides""#), "\(sidecar)")
    // The edit comes back with the last settings.
    #expect(try place.reasons("recipe", "--redo").reasons == ["a.jpg": "rendered"])
    #expect(try place.sidecar("a.jpg").contains(#""exposure.stops": 1"#) != isRemoved)
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
  }

  @Test func otherSettingsRenderTheEditAgain() throws {
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    try command("adjust", "--variant", "web", "--set", "exposure.stops=1")
    try command("revert", "--variant", "web")
    try place.recipe(more: #""title": "Other","#)
    #expect(try place.reasons("recipe", "--dry-run").reasons == ["a.jpg": "reverted"])
    for (stops, format) in [(0.7, "jpeg"), (0.5, "png")] {
      try place.recipe(stops: stops, output: #""name": "web", "format": "\#(format)""#)
      #expect(try place.reasons("recipe", "--dry-run").reasons == ["a.jpg": "due"])
    }
    try place.recipe()
    #expect(try place.reasons("recipe", "--dry-run").reasons == ["a.jpg": "reverted"])
    try command("adjust", "--recipe", place.path("recipe.json"), "--set", "exposure.stops=2")
    #expect(try place.reasons("recipe", "--dry-run").reasons == ["a.jpg": "due"])
  }

  /// A run does not put the reverted edit in place of an older edit by the recipe.
  @Test func aRevertedEditAboveAnotherOfTheRecipeStaysReverted() throws {
    let output = #""name": "web", "format": "jpeg", "path": "{stem}.{digest:8}.{ext}""#
    try place.recipe(stops: 0.3, output: output)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    let first = try place.names()
    try place.recipe(stops: 0.5, output: output)
    #expect(try place.reasons("recipe", "--previous", "stack").reasons == ["a.jpg": "rendered"])
    try command("revert", "--variant", "web")
    #expect(try place.names() == first)
    #expect(try place.reasons().reasons == ["a.jpg": "reverted"])
    #expect(try place.names() == first)
    #expect(try place.reasons("recipe", "--redo").reasons == ["a.jpg": "rendered"])
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
  }

  @Test func anEditThatNoRunHasRenderedStaysReverted() throws {
    let recipe = ["--recipe", place.path("recipe.json"), "--library", place.library]
    let adjusted = try Command.run(["adjust", photo, "--set", "exposure.stops=1"] + recipe)
    #expect(adjusted.code == 0, "\(adjusted.messages)")
    try command("revert", "--variant", "web")
    #expect(try place.reasons().reasons == ["a.jpg": "reverted"])
    try place.recipe(output: #""name": "web", "format": "png""#)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
  }
}
