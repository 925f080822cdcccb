import Foundation
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
    #expect(messages.contains("hint: put {name} into the output's path\n"), "\(messages)")
  }

  /// The name does not tell photos in different folders apart.
  @Test func photosOfOneNameInTwoFoldersAreToldApartByTheirFolders() throws {
    let place = try Workplace(["x/a.jpg", "y/a.jpg"])
    let path = #""name": "web", "format": "jpeg", "path": "{root}/web/{name}""#
    try place.recipe(output: path)
    let hint = "hint: put {folder} into the output's path"
    let both = try place.run()
    #expect(both.code == 3 && both.messages.contains("\(hint)\n"), "\(both.messages)")
    let one = try Command.run([
      "run", place.path("recipe.json"), place.path("photos/x"), "--library", place.library,
    ])
    #expect(one.code == 0, "\(one.messages)")
    let other = try place.run()
    #expect(other.code == 3)
    #expect(other.messages.contains("\(hint), or give up the other photo's edit with "))
    try place.recipe(
      output: path.replacingOccurrences(of: "{root}/web", with: "{root}/web/{folder}"))
    #expect(try place.run().code == 0)
    #expect(try place.names().contains("web/y/a.jpg"))
  }
}
