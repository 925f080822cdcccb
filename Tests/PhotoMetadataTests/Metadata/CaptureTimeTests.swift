import FileStructure
import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoMetadata

/// The capture time is read from EXIF, XMP and IPTC.
@Suite(.enabled(if: ExifTool.isHere)) struct CaptureTimeTests {
  private static func date(_ arguments: [String]) throws -> String? {
    let photo = try ExifTool.writing(arguments, into: Specimen.plain("jpeg"), "jpg")
    return PhotoDetails(Metadata(of: .bytes(photo))).date
  }

  /// Tags with their capture time; the first tag that a photo has takes precedence.
  static let tags: [([String], String)] = [
    (["-EXIF:DateTimeOriginal=2001:02:03 04:05:06"], "2001-02-03T04:05:06"),
    (["-EXIF:CreateDate=2002:02:03 04:05:06"], "2002-02-03T04:05:06"),
    (["-XMP-exif:DateTimeOriginal=2003:02:03 04:05:06.78+09:00"], "2003-02-03T04:05:06"),
    (["-XMP-photoshop:DateCreated=2004:02:03 04:05Z"], "2004-02-03T04:05:00"),
    (
      ["-IPTC:DateCreated=2005:02:03", "-IPTC:TimeCreated=04:05:06+01:00"], "2005-02-03T04:05:06"
    ),
    (["-XMP-exif:DateTimeDigitized=2006:02:03"], "2006-02-03T00:00:00"),
    (["-XMP-xmp:CreateDate=2007:02:03 04:05:06"], "2007-02-03T04:05:06"),
  ]

  @Test(arguments: tags) func theCaptureTimeIsReadFromEachTag(
    _ arguments: [String], _ date: String
  ) throws {
    #expect(try Self.date(arguments) == date)
  }

  @Test func tagsOfTheCameraTakePrecedence() throws {
    for first in Self.tags.indices {
      let arguments = Self.tags[first...].flatMap { $0.0 }
      #expect(try Self.date(arguments) == Self.tags[first].1)
    }
  }

  @Test(arguments: [
    ["-IPTC:DateCreated=2005:02:03"], ["-EXIF:DateTimeOriginal#=2005:02:03   :  :  "],
  ])
  func aDateWithoutATimeIsMidnight(_ arguments: [String]) throws {
    #expect(try Self.date(arguments) == "2005-02-03T00:00:00")
  }

  @Test(arguments: [
    ("2005-02-03T04:05:06.7Z", "2005-02-03T04:05:06"), ("2005-02-03T04:05", "2005-02-03T04:05:00"),
    ("2005-02-03T77:00:00", "2005-02-03T00:00:00"), ("2005-02-03 04:05:06", "2005-02-03T00:00:00"),
    ("2004-99-99T07:08:09", nil), ("2004-07-00", nil), ("0000-07-04", nil), ("2004-7-4", nil),
    ("2004-0\u{0301}7-04T10:00:00", nil), ("", nil),
  ])
  func datesOfXMPAreReadUpToTheirLastPossiblePart(_ text: String, _ date: String?) {
    #expect(CivilTime(beginning: text, like: "0000-00-00T00:00:00")?.description == date)
  }

  @Test func anImpossibleDateGivesWayToTheNext() throws {
    let date = try Self.date([
      "-EXIF:DateTimeOriginal#=2004:00:00 00:00:00", "-XMP-photoshop:DateCreated=2004:07:04",
    ])
    #expect(date == "2004-07-04T00:00:00")
  }

  @Test(arguments: [
    ["-XMP-photoshop:DateCreated=1965"], ["-XMP-photoshop:DateCreated=1965:07"],
    ["-IPTC:DateCreated#=19650000"], ["-EXIF:DateTimeOriginal#=2004:00:00 00:00:00"],
  ])
  func aDateWithoutADayIsNoCaptureTime(_ arguments: [String]) throws {
    #expect(try Self.date(arguments) == nil)
  }
}
