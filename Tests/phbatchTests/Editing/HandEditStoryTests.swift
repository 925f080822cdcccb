import Foundation
import TestSupport
import Testing

/// A library with renditions that the user changed by hand; a run keeps them, or adopts them as
/// edits.
@Suite struct HandEditStoryTests {
  @Test func aRunKeepsOrAdoptsRenditionsThatWereChangedByHand() throws {
    let story = try EditStory(["a.jpg"])
    try story.recipe("a", stops: 0.5)
    try story.recipe("b", stops: 0, saturation: -1)
    _ = try story.night("a")
    let byHand = try SyntheticPhoto.png(width: 31, height: 17)
    try story.place.folder.write(byHand, to: "photos/a.a.png")
    try story.recipe("a", stops: 0.6)
    #expect(try story.night("a") == story.all("modified"))
    #expect(try story.night("b") == story.all("modified"))
    #expect(try story.place.read("a.a.png") == byHand)

    // The changed rendition is adopted as a separate edit, and later edits start from it.
    try story.recipe("a", stops: 0.5)
    #expect(try story.night("a", "--on-modified", "adopt") == story.all("up-to-date"))
    #expect(try story.history("a.jpg").contains("adopted"))
    #expect(try story.night("b") == story.all("rendered"))
    #expect(try story.place.sidecar("a.jpg").contains(#""width": 31"#))
    #expect(try story.night("a") == story.all("up-to-date"))
    #expect(try story.night("b") == story.all("up-to-date"))
    #expect(try story.place.names() == ["a.a.png", "a.b.png", "a.jpg", "a.jpg.phbatch.json"])
    try story.recipe("a", stops: 0.6)
    #expect(try story.night("a") == story.all("buried"))
    #expect(try story.place.read("a.a.png") == byHand)
  }

  /// A rendition that was changed by hand and kept is never treated as a photo.
  @Test func aKeptChangedRenditionIsNeverTreatedAsAPhoto() throws {
    let story = try EditStory(["a.jpg"])
    try story.recipe("a", stops: 0.5)
    try story.recipe("b", stops: -0.3)
    _ = try story.night("a")
    let byHand = try SyntheticPhoto.png(width: 31, height: 17)
    try story.place.folder.write(byHand, to: "photos/a.a.png")
    let reverted = try story.command("revert", story.path("a.jpg"))
    #expect(reverted.code == 0)
    #expect(reverted.messages.contains("'a.a.png' is no longer a rendition"))
    #expect(try story.history("a.jpg").contains("kept: a.a.png"))
    for _ in 0..<2 {
      #expect(try story.night("a") == story.all("reverted"))
      #expect(
        try ["rendered", "up-to-date"].contains(story.night("b")["a.jpg"] ?? ""))
    }
    #expect(try story.place.names() == ["a.a.png", "a.b.png", "a.jpg", "a.jpg.phbatch.json"])
    #expect(try story.command("revert", story.path("a.jpg")).code == 0)
    #expect(try story.night("b") == story.all("reverted"))

    // The kept file stays at its path until an option allows the run to overwrite it.
    #expect(try story.night("a", "--redo") == story.all("modified"))
    #expect(try story.place.read("a.a.png") == byHand)
    #expect(
      try story.night("a", "--redo", "--on-modified", "overwrite") == story.all("rendered"))
    #expect(try !story.history("a.jpg").contains("kept"))
    #expect(try story.command("undo", story.place.library).code == 0)
    #expect(try story.place.read("a.a.png") == byHand)
    #expect(try story.history("a.jpg").contains("kept: a.a.png"))
  }

  @Test func aKeptRenditionOfARenamedOutputIsNeverTreatedAsAPhoto() throws {
    let story = try EditStory(["a.jpg"])
    try story.place.recipe(variant: nil, output: #""name": "old", "format": "png""#)
    #expect(try story.night("recipe") == story.all("rendered"))
    let byHand = try SyntheticPhoto.png(width: 31, height: 17)
    try story.place.folder.write(byHand, to: "photos/a.old.png")
    try story.place.recipe(variant: nil, output: #""name": "new", "format": "png""#)
    #expect(
      try story.night("recipe", "--on-modified", "overwrite") == story.all("rendered"))
    for _ in 0..<2 { #expect(try story.night("recipe") == story.all("up-to-date")) }
    #expect(
      try story.place.names() == ["a.jpg", "a.jpg.phbatch.json", "a.new.png", "a.old.png"])
    #expect(try story.place.read("a.old.png") == byHand)
  }

  /// An adopted edit that is reverted becomes a changed rendition again, or a kept file if all
  /// edits of the photo are reverted.
  @Test(arguments: [false, true]) func anAdoptedRenditionIsNotTreatedAsAPhotoAfterARevert(
    _ isWhole: Bool
  ) throws {
    let story = try EditStory(["a.jpg"])
    try story.recipe("a", stops: 0.5)
    _ = try story.night("a")
    let byHand = try SyntheticPhoto.png(width: 31, height: 17)
    try story.place.folder.write(byHand, to: "photos/a.a.png")
    #expect(try story.night("a", "--on-modified", "adopt") == story.all("up-to-date"))
    let before = try story.place.snapshot().mapValues(\.bytes)
    let arguments = ["revert", story.path("a.jpg")] + (isWhole ? ["--all"] : [])
    #expect(try Command.run(arguments).code == 0)
    for _ in 0..<2 { #expect(try story.night("a") == story.all(isWhole ? "reverted" : "modified")) }
    #expect(try story.place.names() == ["a.a.png", "a.jpg", "a.jpg.phbatch.json"])
    #expect(try story.place.read("a.a.png") == byHand)
    #expect(try story.command("undo", story.place.library).code == 0)
    #expect(try story.place.snapshot().mapValues(\.bytes) == before)
  }

  @Test func undoRestoresOverwrittenRenditionsThatWereChangedByHand() throws {
    let story = try EditStory(["a.jpg"])
    try story.recipe("a", stops: 0.5)
    _ = try story.night("a")
    let byHand = try SyntheticPhoto.png(width: 31, height: 17)
    try story.place.folder.write(byHand, to: "photos/a.a.png")
    #expect(try story.night("a", "--on-modified", "overwrite") == story.all("rendered"))
    let rendered = try story.place.read("a.a.png")
    #expect(rendered != byHand)
    #expect(try story.command("undo", story.place.library).code == 0)
    #expect(try story.place.read("a.a.png") == byHand)
    #expect(try story.command("undo", story.place.library).code == 0)
    #expect(try story.place.read("a.a.png") == rendered)
  }
}
