import Foundation
import TestSupport
import Testing

/// Folders of output paths: those that a recipe leaves, and those that are none.
@Suite struct OutputPathTests {
  private func place(_ path: String) throws -> Workplace {
    let place = try Workplace(["a.jpg", "Trip/b.jpg"])
    try place.recipe(output: #""name": "web", "format": "jpeg", "path": "\#(path)""#)
    return place
  }

  @Test func emptyFoldersGoWithTheLastRendition() throws {
    let place = try place("{root}/web/small/{stem}.{ext}")
    #expect(try place.run().code == 0)
    #expect(try place.names().contains("web/small/b.jpg"))
    try place.folder.write("mine", to: "photos/web/notes.txt")
    try place.recipe(output: #""name": "web", "format": "jpeg", "path": "{root}/new/{stem}.{ext}""#)
    #expect(try place.run().code == 0)
    #expect(
      try place.names() == [
        "Trip", "Trip/b.jpg", "Trip/b.jpg.phbatch.json", "a.jpg", "a.jpg.phbatch.json", "new",
        "new/a.jpg", "new/b.jpg", "web", "web/notes.txt",
      ])
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try place.names().contains("web/small/a.jpg"))
    #expect(try !place.names().contains("new"))
  }

  /// No link is followed, and the photo is not to blame.
  @Test(arguments: [true, false]) func linksAndFilesInPlaceOfFoldersAreOccupied(
    _ isLink: Bool
  ) throws {
    let place = try place("web/{stem}.{ext}")
    try FileManager.default.createDirectory(
      atPath: place.path("elsewhere"), withIntermediateDirectories: true)
    if isLink {
      try FileManager.default.createSymbolicLink(
        atPath: place.path("photos/web"), withDestinationPath: "../elsewhere")
    } else {
      try place.folder.write("mine", to: "photos/web")
    }
    let result = try place.run()
    #expect(result.code == 4)
    #expect(
      result.messages.contains("a.jpg: occupied (a link or a file stands in the way of 'web/a.jpg'")
    )
    #expect(result.output.hasPrefix("1 rendered (1 rendition, "))
    #expect(result.output.hasSuffix("), 1 occupied\n"))
    #expect(try place.names().contains("Trip/web/b.jpg"))
  }
}
