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

  /// `doctor` prints the header of a raw photo whose samples are missing, and states each reason
  /// once.
  @Test(.enabled(if: Corpus.isHere)) func doctorReadsTheHeaderOfARawPhotoThatIsCutOff() throws {
    func output(_ name: String, part: Double = 1) throws -> String {
      let place = try Workplace([])
      let path = try #require(Corpus.files(below: "raw").first { $0.hasSuffix("/\(name)") })
      let file = try Data(contentsOf: URL(filePath: path))
      try place.folder.write(Array(file.prefix(Int(Double(file.count) * part))), to: name)
      let result = try Command.run(["doctor", place.path(name)])
      #expect(result.code == 0)
      #expect(result.output.contains("the photo is cut off"), "\(result.output)")
      return result.output
    }
    let unknown = try output("Canon-R6-pruned.CR3")
    #expect(unknown.contains("camera: Canon EOS R6\n"), "\(unknown)")
    #expect(unknown.contains("cannot be decoded: Canon EOS R6: its coding is not known"))
    #expect(unknown.contains("lens: RF70-200mm F2.8 L IS USM"))
    #expect(unknown.firstMatch(of: /embedded JPEG: \d+ bytes/) != nil)
    let cut = try output("canon-30d.cr2", part: 0.8)
    #expect(cut.contains("camera: Canon EOS 30D, coding: lossless_jpeg_load_raw()"), "\(cut)")
    #expect(cut.contains("light as shot: 4789 K") && cut.contains("embedded JPEG: 251779 bytes"))
    #expect(!cut.contains("cannot be decoded"))
  }
}
