import Foundation
import TestSupport
import Testing

/// Renditions of one photo that are named by their content and have the same bytes share a file.
@Suite struct SharedFileTests {
  private static func set(
    _ name: String, _ width: Int, formats: String = #""jpeg""#, _ more: String = ""
  ) -> String {
    """
    {"name": "\(name)", "kind": "webSet", "widths": [\(width)], "formats": [\(formats)]\(more)}
    """
  }

  private static let square = #", "filters": [{"filter": "crop", "aspect": "1:1"}]"#

  /// Writes a recipe with these outputs.
  private func recipe(_ place: Workplace, _ name: String, _ outputs: String...) throws {
    try place.folder.write(
      """
      {"identifier": "org.example.\(name)", "version": "1.0.0", "variant": "\(name)",
       "outputs": [\(outputs.joined(separator: ", "))]}
      """, to: "\(name).json")
  }

  private func files(_ place: Workplace, _ text: String) throws -> [String] {
    try place.names().filter { $0.contains(text) }
  }

  private func command(_ place: Workplace, _ words: String...) throws -> CommandResult {
    try Command.run(words.prefix(1) + [place.library] + words.dropFirst())
  }

  private func expectAsRecorded(
    _ place: Workplace, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let verified = try command(place, "verify")
    #expect(
      verified.code == 0 && verified.output.contains("all as recorded"), "\(verified.output)",
      sourceLocation: location)
  }

  /// A library whose photo `s.png` is square, so that both sets of the recipe have the same files.
  private func squarePhoto() throws -> Workplace {
    let place = try Workplace([])
    try place.addPhoto("s.png", width: 60, height: 60)
    try recipe(place, "web", Self.set("wide", 40), Self.set("square", 40, Self.square))
    #expect(try place.run("web").code == 0)
    return place
  }

  @Test func setsOfOneRecipeShareFiles() throws {
    let place = try squarePhoto()
    let shared = try files(place, "s-")
    #expect(shared.count == 2, "\(shared)")
    for manifest in ["wide", "square"] {
      let text = String(decoding: try place.read("\(manifest).json"), as: UTF8.self)
      #expect(text.contains(try files(place, "s-40.")[0]), "\(text)")
    }
    try expectAsRecorded(place)
    #expect(try place.run("web", "--check").code == 0)
    // Without one of the sets, the other one still has the files.
    try recipe(place, "web", Self.set("wide", 40))
    let plan = try place.run("web", "--dry-run")
    #expect(!plan.output.contains("removes"), "\(plan.output)")
    #expect(try place.run("web").code == 0)
    #expect(try files(place, "s-") == shared)
    #expect(try command(place, "undo").code == 0)
    try expectAsRecorded(place)
    #expect(try command(place, "revert", "--variant", "web").code == 0)
    #expect(try files(place, "s-") == [])
    #expect(try command(place, "undo").code == 0)
    #expect(try files(place, "s-") == shared)
    try expectAsRecorded(place)
  }

  @Test func aSharedFileThatWasChangedByHandIsNamedOnce() throws {
    let place = try squarePhoto()
    let file = try files(place, "s-40.")[0]
    let ours = try place.read(file)
    try place.folder.write([0xFF, 0xD8, 0xFF], to: "photos/\(file)")
    let kept = try place.run("web")
    #expect(kept.code == 4)
    #expect(kept.messages.contains("modified ('\(file)' was changed"), "\(kept.messages)")
    #expect(try command(place, "verify").output.contains("1 finding"))
    #expect(try place.run("web", "--on-modified", "overwrite").code == 0)
    #expect(try place.read(file) == ours)
    try expectAsRecorded(place)
  }

  @Test func aSharedFileMovesWithItsPhotoAndIsPrunedWithIt() throws {
    let place = try squarePhoto()
    let photo = place.path("photos/s.png")
    try FileManager.default.moveItem(atPath: photo, toPath: place.path("photos/t.png"))
    let moved = try command(place, "relink")
    #expect(moved.code == 0 && !moved.messages.contains("not moved"), "\(moved.messages)")
    #expect(try files(place, "s-") == [])
    #expect(try files(place, "t-").count == 2)
    try expectAsRecorded(place)
    try FileManager.default.removeItem(atPath: place.path("photos/t.png"))
    let pruned = try command(place, "prune", "--yes")
    #expect(pruned.code == 0, "\(pruned.messages)")
    #expect(try files(place, "t") == [])
  }

  /// A library with the renditions of two recipes, which share the JPEG file and the placeholder.
  private func twoRecipes() throws -> Workplace {
    let place = try Workplace()
    try recipe(place, "one", Self.set("p", 40, formats: #""jpeg", "gif""#))
    try recipe(place, "two", Self.set("p", 40, formats: #""jpeg", "png""#, Self.manifest))
    for name in ["one", "two"] {
      let result = try place.run(name)
      #expect(result.code == 0, "\(result.messages)")
    }
    return place
  }

  private static let manifest = #", "manifest": "two.json""#

  private func formats(_ place: Workplace) throws -> [String] {
    try files(place, "a-").map { String($0.drop { $0 != "." }.suffix(4)) }.sorted()
  }

  @Test func aFileOfTwoRecipesStaysUntilNeitherHasIt() throws {
    let place = try twoRecipes()
    #expect(try formats(place) == [".gif", ".jpg", ".png", "webp"])
    try expectAsRecorded(place)
    #expect(try command(place, "revert", "--variant", "one").code == 0)
    #expect(try formats(place) == [".jpg", ".png", "webp"])
    try expectAsRecorded(place)
    #expect(try command(place, "undo").code == 0)
    #expect(try formats(place) == [".gif", ".jpg", ".png", "webp"])
    try expectAsRecorded(place)
    let without = Self.manifest + #", "placeholder": false"#
    try recipe(place, "two", Self.set("p", 40, formats: #""jpeg", "png""#, without))
    let plan = try place.run("two", "--dry-run")
    #expect(!plan.output.contains("removes"), "\(plan.output)")
    #expect(try place.run("two").code == 0)
    #expect(try formats(place) == [".gif", ".jpg", ".png", "webp"])
    #expect(try command(place, "revert", "--variant", "one").code == 0)
    #expect(try formats(place) == [".jpg", ".png"])
    try expectAsRecorded(place)
  }

  /// A rendition that a user changed and that was adopted belongs to the user.
  @Test func anAdoptedFileIsNotShared() throws {
    let place = try twoRecipes()
    let file = try files(place, ".jpg").filter { $0.hasPrefix("a-") }[0]
    let theirs = try SyntheticPhoto.jpeg(width: 20, height: 20)
    try place.folder.write(theirs, to: "photos/\(file)")
    let adopted = try place.run("one", "--on-modified", "adopt")
    #expect(adopted.code == 0, "\(adopted.messages)")
    let result = try place.reasons("two", "--on-modified", "overwrite")
    #expect(result.reasons["a.jpg"] == "collision")
    #expect(try place.read(file) == theirs)
  }

  /// The files of different photos are not shared: one photo could remove those of the other.
  @Test func equalPhotosNeedDifferentPaths() throws {
    let place = try Workplace(["x/a.jpg", "y/a.jpg"])
    let path = #", "path": "{root}/web/{stem}-{width}.{digest:10}.{ext}""#
    try recipe(place, "web", Self.set("p", 40, path))
    let result = try place.run("web")
    #expect(result.code == 3)
    #expect(result.output.contains("1 collision"), "\(result.output)")
    #expect(result.messages.contains("hint: put {folder} into the output's path"))
    try recipe(
      place, "web", Self.set("p", 40, path.replacingOccurrences(of: "web/", with: "{folder}/")))
    #expect(try place.run("web").code == 0)
  }

  /// Two outputs whose names do not depend on their content always need different paths.
  @Test func filesThatAreNotNamedByContentAreNotShared() throws {
    let place = try Workplace([])
    try place.addPhoto("s.png", width: 60, height: 60)
    let path = #", "path": "{stem}-{width}.{ext}", "placeholder": false"#
    try recipe(
      place, "web", Self.set("wide", 40, path),
      Self.set("square", 40, path + Self.square))
    let result = try place.run("web")
    #expect(result.code == 3 && result.messages.contains("two outputs"), "\(result.messages)")
  }
}
