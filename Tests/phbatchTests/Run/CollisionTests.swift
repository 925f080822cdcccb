import TestSupport
import Testing

/// Photos that would be rendered to the same path, if the recipe selects photos by conditions.
@Suite struct CollisionTests {
  private static let selection = #""select": {"where": {"rating": ">=3"}},"#

  @Test func aPhotoThatTheConditionsLeaveOutBlocksNoPath() throws {
    let place = try Workplace(["a.jpg", "a.png"])
    try place.rate("a.jpg", 5)
    try place.recipe(more: Self.selection)
    #expect(
      try place.reasons("recipe", "--dry-run").reasons
        == ["a.jpg": "due", "a.png": "not-selected"])
    #expect(try place.reasons().reasons == ["a.jpg": "rendered", "a.png": "not-selected"])
    // The other photo comes too late for the path.
    try place.rate("a.png", 5)
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date", "a.png": "collision"])
  }

  /// The message names a photo that would be rendered.
  @Test func photosThatMeetTheConditionsCollide() throws {
    let place = try Workplace(["a.jpeg", "a.jpg", "a.png"])
    for name in ["a.jpg", "a.png"] { try place.rate(name, 5) }
    try place.recipe(more: Self.selection)
    #expect(
      try place.reasons().reasons
        == ["a.jpeg": "not-selected", "a.jpg": "collision", "a.png": "collision"])
    let messages = try place.run().messages
    for name in ["a.jpg", "a.png"] {
      #expect(messages.contains("would also be a rendition of '\(name)'"), "\(messages)")
    }
  }
}
