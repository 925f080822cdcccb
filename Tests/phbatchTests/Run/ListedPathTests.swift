import Foundation
import TestSupport
import Testing

/// `--files-from`: lists with paths from the library or from the working directory.
@Suite struct ListedPathTests {
  /// Runs over `photos`; the working directory is its parent folder.
  private func run(_ place: Workplace, _ list: String...) throws -> CommandResult {
    try Command.run(
      ["run", "recipe.json", "photos", "--files-from", "-", "--format", "json"],
      input: list.joined(separator: "\n"), prefix: ["env", "-C", place.path("")])
  }

  private func place(_ photos: [String]) throws -> Workplace {
    let place = try Workplace(photos)
    try place.recipe()
    return place
  }

  /// A folder in the library may have the same name as the library, so a path that exists relative
  /// to the library is used as such.
  @Test func aListedPathThatExistsInTheLibraryIsUsedUnchanged() throws {
    let place = try place(["a.jpg", "photos/a.jpg", "photos/b.jpg"])
    let first = try run(place, "photos/a.jpg")
    #expect(try first.reasons == ["photos/a.jpg": "rendered"])
    #expect(try first.events.first?["photos"] as? Int == 1)
    #expect(try run(place, "photos/photos/b.jpg").reasons == ["photos/b.jpg": "rendered"])
    #expect(try !place.names().contains("a.web.jpg"))
  }

  @Test func relativeAndAbsolutePathsInAListAreAccepted() throws {
    let place = try place(["a.jpg", "b.jpg", "c.jpg", "trip/d.jpg", "e.jpg"])
    let result = try run(
      place, "a.jpg", "photos/b.jpg", place.path("photos/c.jpg"), "./photos/trip/../trip/d.jpg")
    #expect(
      try result.reasons == [
        "a.jpg": "rendered", "b.jpg": "rendered", "c.jpg": "rendered", "trip/d.jpg": "rendered",
      ])
    #expect(result.code == 0)
  }

  /// Lists from git contain all changed files, including those outside the library.
  @Test func listedPathsOutsideTheLibraryAreIgnored() throws {
    let place = try place(["a.jpg"])
    try place.folder.write("about", to: "README.md")
    let result = try run(
      place, "photos/a.jpg", "README.md", "recipe.json", "../none.jpg", "/nowhere/none.jpg")
    #expect(try result.reasons == ["a.jpg": "rendered"])
    #expect(result.code == 0)
  }

  /// If no path of a list exists, for example because of a wrong prefix, the command reports the
  /// paths and does nothing.
  @Test(arguments: ["/nowhere/a.jpg", "../nowhere/a.jpg", "none.jpg", "/nowhere/a.jpg\nnone.jpg"])
  func aListInWhichNoPathExistsIsRefused(_ list: String) throws {
    let place = try place(["a.jpg"])
    let result = try run(place, list)
    #expect(result.code == 66)
    for name in list.split(separator: "\n") { #expect(result.messages.contains("'\(name)'")) }
    #expect(try result.reasons.isEmpty)
    #expect(try place.names() == ["a.jpg"])
  }

  @Test func listedPathsThatDoNotExistOutsideTheLibraryAreNamed() throws {
    let result = try run(try place(["a.jpg"]), "a.jpg", "/nowhere/none.jpg")
    #expect(result.code == 0)
    #expect(result.output.contains("the list names '/nowhere/none.jpg', which does not exist"))
  }

  @Test func aListWithZeroBytesNeedsTheOptionNull() throws {
    let result = try run(try place(["a.jpg"]), "a.jpg\u{0}b.jpg\u{0}")
    #expect(result.code == 66)
    #expect(result.messages.contains("hint: --null"))
  }

  @Test func listedPathsWithoutAFileAreReportedAsMissing() throws {
    let place = try place(["a.jpg"])
    let result = try run(place, "a.jpg", "photos/none.jpg", "other.jpg", place.path("photos/x.jpg"))
    #expect(
      try result.reasons == [
        "a.jpg": "rendered", "none.jpg": "file-missing", "other.jpg": "file-missing",
        "x.jpg": "file-missing",
      ])
    #expect(result.code == 3)
    #expect(try result.events.first?["photos"] as? Int == 4)
  }
}
