import PhotoRender
import TestSupport
import Testing

/// The capture time and the texts of a photo's header come from all of its metadata.
@Suite(.enabled(if: ExifTool.isHere)) struct PhotoHeaderTextTests {
  private static func header(_ arguments: [String]) throws -> PhotoHeader {
    let photo = try ExifTool.writing(
      arguments, into: SyntheticPhoto.jpeg(width: 60, height: 40), "jpg")
    return try Renderer.header(of: .bytes(photo))
  }

  /// libvips cuts texts of EXIF at about 110 characters.
  @Test func aLongDescriptionIsReadWhole() throws {
    let text = (1...60).map { "word \($0)" }.joined(separator: " ").prefix(400).description
    let header = try Self.header(["-EXIF:ImageDescription=\(text)"])
    #expect(header.texts["description"] == text && header.texts["title"] == text)
  }

  @Test(arguments: [
    "-EXIF:ImageDescription", "-XMP-dc:Description", "-IPTC:Caption-Abstract",
  ])
  func theDescriptionIsReadFromEveryBlock(_ tag: String) throws {
    let header = try Self.header(["\(tag)=A dog on a beach"])
    #expect(header.texts["description"] == "A dog on a beach")
  }

  @Test func theTitleIsReadFromXMP() throws {
    let header = try Self.header(["-XMP-dc:Title=Dog", "-EXIF:ImageDescription=A dog on a beach"])
    #expect(header.texts["title"] == "Dog" && header.texts["description"] == "A dog on a beach")
  }

  @Test func theCaptureTimeIsReadFromXMP() throws {
    let header = try Self.header(["-XMP-exif:DateTimeOriginal=2003:02:03 04:05:06+09:00"])
    #expect(header.captureDate == "2003-02-03T04:05:06")
    #expect(header.texts["date"] == "2003-02-03T04:05:06")
  }
}
