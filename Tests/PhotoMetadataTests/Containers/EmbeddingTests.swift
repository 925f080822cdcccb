import FileStructure
import Foundation
import PhotoMetadata
import SystemPackage
import TestSupport
import Testing
import Vips

/// Metadata is read from one format and embedded in another; ExifTool checks the result.
@Suite(.enabled(if: ExifTool.isHere)) struct EmbeddingTests {
  private static let kept = [
    "IFD0:Artist": "Ada Lovelace", "IFD0:Copyright": "(c) 2020 Ada", "IFD0:Make": "CAMERAMAKER",
    "IFD0:Model": "CAMERAMODEL X1", "ExifIFD:DateTimeOriginal": "2020:01:02 03:04:05",
    "ExifIFD:SubSecTimeOriginal": "123", "ExifIFD:OffsetTimeOriginal": "+01:00",
    "ExifIFD:ISO": "400", "ExifIFD:FNumber": "2.8", "ExifIFD:LensModel": "LENSNAME 35mm",
    "ExifIFD:SerialNumber": "SERIAL4711", "GPS:GPSLatitude": "48.858333",
    "GPS:GPSLongitudeRef": "E", "XMP-dc:Title": "XMP title", "XMP-xmp:Rating": "4",
    "XMP-photoshop:City": "Paris sur Seine", "XMP-crs:Exposure2012": "+1.50",
    "XMP-iptcExt:LocationCreatedCity": "Paris",
  ]

  private static func check(_ tags: [String: String], _ note: String) {
    for (name, value) in kept {
      let found = tags[name] ?? "nothing"
      let isNear = Double(found).flatMap { a in Double(value).map { abs(a - $0) < 1e-6 } } ?? false
      #expect(found == value || isNear, "\(note) \(name): \(found)")
    }
  }

  @Test(arguments: Specimen.formats)
  func allMetadataIsEmbeddedInEveryFormat(_ format: String) throws {
    let metadata = Metadata(of: .bytes(try Specimen.full.get()))
    let file = try metadata.embedded(in: Specimen.plain(format))
    let tags = try ExifTool.tags(of: file)
    Self.check(tags, format)
    #expect(try !ExifTool.complaints(about: file).contains("Error"), "\(format)")
    #expect(try Image.load(from: Source(bytes: file)).width == 60)
    // The metadata is embedded in a JPEG file again.
    let again = try Metadata(of: .bytes(file)).embedded(in: Specimen.plain("jpeg"))
    Self.check(try ExifTool.tags(of: again), "\(format) to jpeg")
  }

  @Test func metadataWhoseBlockTheFormatLacksIsWrittenAsXMP() throws {
    let metadata = Metadata(of: .bytes(try Specimen.full.get()))
    for format in ["png", "webp"] {
      let tags = try ExifTool.tags(of: metadata.embedded(in: Specimen.plain(format)))
      #expect(tags["XMP-dc:Description"] == "IPTC caption", "\(format)")
    }
    for format in ["jpeg", "tiff"] {
      let tags = try ExifTool.tags(of: metadata.embedded(in: Specimen.plain(format)))
      #expect(tags["IPTC:Caption-Abstract"] == "IPTC caption", "\(format)")
    }
  }

  @Test(arguments: Specimen.formats) func embeddingRemovesTheMetadataThatTheFileHadBefore(
    _ format: String
  ) throws {
    let full = try Metadata(of: .bytes(Specimen.full.get())).embedded(in: Specimen.plain(format))
    let bare = try Metadata().embedded(in: full)
    let found = Metadata(of: .bytes(bare))
    #expect(found.exif == nil && found.xmp == nil && found.iptc == nil && found.comments.isEmpty)
    #expect(try Image.load(from: Source(bytes: bare)).width == 60)
  }

  @Test(arguments: Specimen.formats) func embeddingInAFileAndInMemoryGivesTheSameBytes(
    _ format: String
  ) throws {
    let metadata = Metadata(of: .bytes(try Specimen.full.get()))
    for start in [try Specimen.plain(format), try metadata.embedded(in: Specimen.plain(format))] {
      for wanted in [metadata, Metadata()] {
        let folder = try TemporaryFolder()
        try folder.write(start, to: "file")
        let descriptor = open(folder["file"].string, O_RDWR)
        _ = try wanted.embed(in: descriptor)
        close(descriptor)
        #expect(try folder.read("file") == wanted.embedded(in: start), "\(format)")
      }
    }
  }

  @Test func aLongXMPPacketIsSplitIntoSeveralJPEGSegments() throws {
    let words = (0..<9_000).map { "word \($0)" }.joined(separator: " ")
    let file = try ExifTool.writing(
      ["-XMP-dc:Description=\(words)", "-XMP-dc:Title=Short"], into: Specimen.plain("png"), "png")
    let jpeg = try Metadata(of: .bytes(file)).embedded(in: Specimen.plain("jpeg"))
    let back = try Metadata(of: .bytes(jpeg)).embedded(in: Specimen.plain("png"))
    for tags in [try ExifTool.tags(of: jpeg), try ExifTool.tags(of: back)] {
      #expect(tags["XMP-dc:Title"] == "Short" && tags["XMP-dc:Description"] == words)
    }
  }

  @Test(arguments: ["MM", "II"]) func exifBlocksOfBothByteOrdersAreRead(_ order: String) throws {
    let file = try ExifTool.writing(
      ["-ExifByteOrder=\(order)", "-EXIF:Artist=Ada Lovelace", "-EXIF:ISO=1600"],
      into: Specimen.plain("jpeg"), "jpg")
    for format in Specimen.formats {
      let tags = try ExifTool.tags(
        of: Metadata(of: .bytes(file)).embedded(in: Specimen.plain(format)))
      #expect(tags["ExifIFD:ISO"] == "1600" && tags["IFD0:Artist"] == "Ada Lovelace", "\(format)")
    }
  }
}
