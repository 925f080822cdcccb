import Foundation
import TestSupport
import Testing

/// `run` and `status` for single photos, folders and patterns.
@Suite struct PhotoChoiceTests {
  private let place: Workplace

  init() throws {
    place = try Workplace(["a.jpg", "b.jpg", "2024/c.jpg", "2024/d.png", "2024/x/e.jpg"])
    try place.recipe()
  }

  private func run(_ photos: String..., options: [String] = []) throws -> CommandResult {
    try Command.run(
      ["run", place.path("recipe.json")] + photos.map { place.path("photos/\($0)") } + options)
  }

  private func rendered(_ result: CommandResult) throws -> [String: String] {
    #expect(result.code == 0, "\(result.messages)")
    return try result.reasons
  }

  @Test func aRunAcceptsPhotosFoldersAndPatterns() throws {
    let json = ["--format", "json"]
    // Before the first run, phbatch cannot find the library of a photo.
    let unknown = try run("a.jpg")
    #expect(unknown.code == 66)
    #expect(unknown.messages.contains("is not in a library yet"))
    #expect(unknown.messages.contains("--library"))
    let first = try run("a.jpg", options: ["--library", place.library] + json)
    #expect(try rendered(first) == ["a.jpg": "rendered"])
    #expect(try rendered(run("2024/*.jpg", options: json)) == ["2024/c.jpg": "rendered"])
    #expect(
      try rendered(run("a.jpg", "2024/**/*.{jpg,png}", options: json)) == [
        "a.jpg": "up-to-date", "2024/c.jpg": "up-to-date", "2024/d.png": "rendered",
        "2024/x/e.jpg": "rendered",
      ])
    // If --library names the library, a folder in it is treated as a part of the library.
    let part = try run("2024", options: ["--library", place.library])
    #expect(part.output == "3 up-to-date\n")
    #expect(try !place.names().contains("b.web.jpg"))
    #expect(!FileManager.default.fileExists(atPath: place.path("photos/2024/.phbatch")))
  }

  @Test func namesAndPatternsWithoutPhotosAreErrors() throws {
    #expect(try run("a.jpg", options: ["--library", place.library]).code == 0)
    let before = try place.snapshot()
    for name in ["2024/*.gif", "none.jpg", "a.web.jpg", "2025/*.jpg"] {
      let result = try run(name)
      #expect(result.code == 66, "\(name)")
      #expect(result.messages.contains(name.hasPrefix("2025") ? "2025" : name), "\(name)")
    }
    #expect(try run("a.jpg", "b.jpg", options: ["--since", "HEAD"]).code == 64)
    #expect(try place.snapshot() == before)
  }

  /// Pattern characters in the name of an existing file match themselves.
  @Test func patternCharactersInExistingFileNamesMatchThemselves() throws {
    try place.addPhoto("[1] new/f*.jpg")
    try place.addPhoto("[1] new/fg.jpg")
    #expect(try run("a.jpg", options: ["--library", place.library]).code == 0)
    let one = try run("[1] new/f*.jpg", options: ["--format", "json"])
    #expect(try rendered(one) == ["[1] new/f*.jpg": "rendered"])
    let two = try run("[1] new/f?.jpg", options: ["--format", "json"])
    #expect(try rendered(two) == ["[1] new/f*.jpg": "up-to-date", "[1] new/fg.jpg": "rendered"])
  }

  @Test func statusShowsTheGivenPhotosAndTheirTotals() throws {
    #expect(try run("a.jpg", options: ["--library", place.library]).code == 0)
    func status(_ photos: String..., options: [String] = []) throws -> [String] {
      try Command.run(["status"] + photos.map { place.path("photos/\($0)") } + options).lines
    }
    let one = try status("a.jpg")
    #expect(one.first == "a.jpg")
    #expect(one.last == "1 photo: 1 as written")
    #expect(try status("2024/*.jpg") == ["2024/c.jpg: no edits", "1 photo: 1 without edits"])
    let recipe = ["--recipe", place.path("recipe.json")]
    #expect(
      try status("a.jpg", "2024/d.png", options: recipe).last == "2 photos: 1 due, 1 up-to-date")
    for photos in [["*.gif"], ["a.jpg", "*.gif"]] {
      let none = try Command.run(["status"] + photos.map { place.path("photos/\($0)") })
      #expect(none.code == 66 && none.messages.contains("*.gif"))
    }
    let all = try Command.run(["status", place.library] + recipe).lines
    #expect(all.last == "5 photos: 4 due, 1 up-to-date")
  }
}
