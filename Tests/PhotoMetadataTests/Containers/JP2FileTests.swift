import FileStructure
import Foundation
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoMetadata

/// Metadata of JPEG 2000 files, which libvips does not read.
@Suite struct JP2FileTests {
  private static func plain() throws -> [UInt8] { try Specimen.plain("jp2") }

  /// Reads the tags that ExifTool has written into boxes of its choice.
  @Test(.enabled(if: ExifTool.isHere)) func tagsThatExifToolWroteToAJPEG2000FileAreRead() throws {
    let file = try ExifTool.writing(
      [
        "-EXIF:Model=Box", "-EXIF:DateTimeOriginal=2020:01:02 03:04:05", "-EXIF:GPSLatitude=48.5",
        "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=2.5", "-EXIF:GPSLongitudeRef=E",
        "-XMP-xmp:Rating=4", "-IPTC:Headline=Front page",
      ], into: Self.plain(), "jp2")
    let metadata = Metadata(of: .bytes(file))
    #expect(metadata.warnings.isEmpty)
    #expect(metadata.iptc?.texts(.headline) == ["Front page"])
    let details = PhotoDetails(metadata)
    #expect(details.camera == "Box")
    #expect(details.date == "2020-01-02T03:04:05")
    #expect(details.rating == 4)
    #expect(details.hasPosition == true)
  }

  /// Reads the same tags as ExifTool from files by Photoshop and Exiv2.
  @Test(
    .enabled(if: ExifTool.isHere && Corpus.isHere),
    arguments: ["metadata/exiv2/Reagan.jp2", "metadata/exifr/RESULT-OK_0008.jp2"])
  func theTagsOfRealJPEG2000FilesEqualThoseOfExifTool(_ name: String) throws {
    let path = "\(Corpus.folder ?? "")/\(name)"
    let file = Array(try Data(contentsOf: URL(filePath: path)))
    let metadata = Metadata(of: .bytes(file))
    let tags = try ExifTool.tags(of: file)
    #expect(metadata.exif != nil && metadata.xmp != nil && metadata.iptc != nil)
    #expect(metadata.exif?.text(.model) == tags["IFD0:Model"])
    #expect(metadata.exif?.text(.software) == tags["IFD0:Software"])
    #expect(metadata.iptc?.texts(.city).first == tags["IPTC:City"])
    #expect(
      metadata.xmp?.text(.xmp("CreatorTool")) == tags["XMP-xmp:CreatorTool"])
  }

  @Test func unknownAndTruncatedBoxesOfAJPEG2000FileAreIgnored() throws {
    let plain = try Self.plain()
    let xmp = BoxBytes.xmpIdentifier + Array("<x:xmpmeta".utf8)
    for box in [
      BoxBytes.box("uuid", []), BoxBytes.box("uuid", Array(repeating: 7, count: 40)),
      BoxBytes.box("uuid", BoxBytes.xmpIdentifier),
      BoxBytes.box("uuid", Array("JpgTiffExif->JP2".utf8) + [1, 2, 3]),
      Array(BoxBytes.box("uuid", xmp).dropLast(3)),
    ] {
      let metadata = Metadata(of: .bytes(plain + box))
      #expect(metadata.exif == nil && metadata.xmp == nil && metadata.iptc == nil)
    }
    // An XMP packet that is not valid XML causes a warning.
    let damaged = Metadata(of: .bytes(plain + BoxBytes.box("uuid", xmp)))
    #expect(damaged.warnings.count == 1)
  }

  @Test func theICCProfileInAJPEG2000HeaderIsFound() throws {
    let profile = Array("no profile".utf8)
    for (method, isFound) in [(1, false), (2, true), (3, true), (4, false)] {
      let colours = BoxBytes.box("colr", [UInt8(method), 0, 0] + profile)
      let file = try JP2Bytes.replacingColours(in: Self.plain(), by: colours)
      #expect(JP2File(.bytes(file))?.profile == (isFound ? profile : nil))
    }
    #expect(JP2File(.bytes(try Self.plain()))?.profile == nil)
    #expect(JP2File(.bytes(try Specimen.plain("jpeg"))) == nil)
  }
}

/// Parts of JPEG 2000 files.
enum JP2Bytes {
  /// The file with another `colr` box in its header.
  static func replacingColours(in file: [UInt8], by colours: [UInt8]) throws -> [UInt8] {
    let boxes = try #require(JP2File(.bytes(file))).boxes
    return boxes.flatMap { box -> [UInt8] in
      guard box.name == "jp2h" else { return Array(file[box.offset..<box.end]) }
      let parts = Box.all(in: .bytes(file), box.content).map {
        $0.name == "colr" ? colours : Array(file[$0.offset..<$0.end])
      }
      return BoxBytes.box("jp2h", Array(parts.joined()))
    }
  }
}
