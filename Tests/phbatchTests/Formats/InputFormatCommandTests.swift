import Foundation
import TestSupport
import Testing

/// Runs over raw files, videos, drawings and other files that are not ordinary photos.
@Suite struct InputFormatCommandTests {
  private static let drawing =
    #"<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="30" height="20"/></svg>"#

  private static let film: [UInt8] = Array("\0\0\0\u{18}ftypqt  \0\0\0\0qt  \0\0\0\u{8}wide".utf8)

  @Test func unsupportedFilesAreReportedWithoutAFailure() throws {
    let place = try Workplace(["IMG_1.JPG"])
    try place.recipe()
    try place.folder.write(Array("FUJIFILMCCD-RAW 0201".utf8), to: "photos/IMG_1.RAF")
    try place.folder.write(Self.film, to: "photos/film.mov")
    try place.folder.write(Self.drawing, to: "photos/logo.svg")
    let result = try place.run("recipe", "--format", "json")
    #expect(result.code == 0)
    #expect(
      try result.reasons == [
        "IMG_1.JPG": "rendered", "IMG_1.RAF": "not-selected",
        "film.mov": "unsupported-format", "logo.svg": "unsupported-format",
      ])
    let details = try result.events.reduce(into: [String: String]()) { details, event in
      if let file = event["file"] as? String { details[file] = event["detail"] as? String }
    }
    #expect(details["IMG_1.RAF"] == "the photo's JPEG is rendered instead")
    #expect(details["film.mov"] == "a QuickTime video")
    #expect(details["logo.svg"] == "an SVG drawing")
    // The photo of the pair is rendered once; the raw file has no rendition.
    #expect(try place.names().filter { $0.hasSuffix(".web.jpg") } == ["IMG_1.web.jpg"])
  }

  @Test func formatsNamedByTheRecipeAreRendered() throws {
    let place = try Workplace([])
    try place.recipe(more: #""inputs": {"formats": ["svg"]},"#)
    try place.folder.write(Self.drawing, to: "photos/logo.svg")
    try place.folder.write(Self.drawing, to: "photos/wrongly named.jpg")
    let (reasons, code) = try place.reasons()
    #expect(reasons == ["logo.svg": "rendered", "wrongly named.jpg": "rendered"])
    #expect(code == 0)
    #expect(try place.reasons().reasons.values.allSatisfy { $0 == "up-to-date" })
    // Without the recipe's request for these formats, the files are not photos, and their
    // renditions stay unchanged.
    try place.recipe()
    #expect(
      try place.reasons().reasons
        == ["logo.svg": "unsupported-format", "wrongly named.jpg": "unreadable"])
  }

  @Test func aVideoThatIsNamedLikeAPhotoIsReported() throws {
    let place = try Workplace([])
    try place.recipe()
    try place.folder.write(Self.film, to: "photos/a.jpg")
    let result = try place.run()
    #expect(result.code == 3)
    let text = result.output + result.messages
    #expect(
      text.contains("is named like a JPEG photo, but contains a QuickTime video"),
      "\(text)")
  }

  @Test func doctorDescribesTheFormatOfPhotosAndVideos() throws {
    let place = try Workplace(["a.jpg"])
    try place.folder.write(Self.film, to: "photos/film.mov")
    let photo = try Command.run(["doctor", place.path("photos/a.jpg")])
    #expect(photo.code == 0)
    #expect(photo.lines.first?.contains("a JPEG photo") == true)
    #expect(photo.output.contains("60×40 pixels upright"))
    #expect(photo.output.contains("3 channels with 8 bits"))
    #expect(photo.output.contains("read by jpegload_source"))
    let film = try Command.run(["doctor", place.path("photos/film.mov")])
    #expect(film.output.contains("a QuickTime video, not read"))
    #expect(try Command.run(["doctor"]).output.contains("read only if a recipe lists them"))
  }
}
