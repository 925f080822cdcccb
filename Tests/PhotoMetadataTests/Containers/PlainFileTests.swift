import FileStructure
import PhotoMetadata
import TestSupport
import Testing
import Vips

/// Files that contain only their picture and profile may be published unchanged.
@Suite struct PlainFileTests {
  private static let formats = Specimen.formats + ["gif"]
  private static let commentSegment: [UInt8] = [0xFF, 0xFE, 0, 4, 1, 2]

  @Test(arguments: formats) func aFileWithAPictureOnlyCountsAsFreeOfMetadata(
    _ format: String
  ) throws {
    let file = try Specimen.plain(format)
    #expect(Metadata.isAbsent(in: .bytes(file)))
    // A bare JPEG XL codestream does not state its length, so bytes after its end cannot be
    // detected.
    if format == "jxl" { return }
    let tail = [UInt8](repeating: 1, count: format == "tiff" ? 64 : 4)
    #expect(!Metadata.isAbsent(in: .bytes(file + tail)), "bytes after the end")
  }

  @Test(.enabled(if: ExifTool.isHere), arguments: formats)
  func aFileWithMetadataDoesNotCountAsFreeOfMetadata(_ format: String) throws {
    let metadata = Metadata(of: .bytes(try Specimen.full.get()))
    let file = try metadata.embedded(in: Specimen.plain(format))
    #expect(!Metadata.isAbsent(in: .bytes(file)))
  }

  @Test func aJPEGWithScansAndRestartMarkersCountsAsFreeOfMetadata() throws {
    let image = try SyntheticPhoto.image(width: 96, height: 64)
    let options: [String: Argument] = ["interlace": .flag(true), "restart-interval": .integer(2)]
    for option in options {
      let file = try SyntheticPhoto.bytes(
        image, "jpegsave_target", ["strip": .flag(true), option.key: option.value])
      #expect(Metadata.isAbsent(in: .bytes(file)), "\(option.key)")
    }
  }

  @Test func aCommentInAJPEGIsFoundBeforeAndAfterTheScan() throws {
    let file = try Specimen.plain("jpeg")
    let first = Array(file[..<2]) + Self.commentSegment + file[2...]
    #expect(!Metadata.isAbsent(in: .bytes(first)))
    let last = Array(file.dropLast(2)) + Self.commentSegment + file.suffix(2)
    #expect(!Metadata.isAbsent(in: .bytes(last)))
  }

  /// A file may be published unchanged if its EXIF block contains only size and resolution, as
  /// libvips writes it.
  @Test func anEXIFBlockWithSizeAndResolutionOnlyMayBePublished() throws {
    let file = try SyntheticPhoto.bytes(
      SyntheticPhoto.image(width: 60, height: 40), "jpegsave_target")
    #expect(JPEGFile(.bytes(file)).segments.contains { $0.marker == JPEGFile.Marker.app1 })
    #expect(Metadata.isAbsent(in: .bytes(file)))
  }

  /// A file may be published unchanged if its EXIF block contains only the X resolution, but not if
  /// the block contains the artist or an Exif pointer to its own directory.
  @Test(arguments: [(0x011A, true), (0x013B, false), (0x8769, false)])
  func anEXIFBlockWithOtherTagsThanResolutionIsMetadata(_ tag: Int, _ isPlain: Bool) throws {
    let order = ByteOrder.big
    let entry = order.bytes(tag, 2) + order.bytes(4, 2) + order.bytes(1, 4) + order.bytes(8, 4)
    let block = Array("Exif\0\0MM\0*".utf8) + order.bytes(8, 4) + [0, 1] + entry + [0, 0, 0, 0]
    let segment = [0xFF, 0xE1] + order.bytes(block.count + 2, 2) + block
    let file = try Specimen.plain("jpeg")
    let changed = Array(file[..<2]) + segment + file[2...]
    #expect(Metadata.isAbsent(in: .bytes(changed)) == isPlain)
  }

  /// An application's block in a GIF file may contain anything, except the number of repetitions.
  @Test(arguments: [("NETSCAPE2.0", true), ("ICCRGBG1012", false)])
  func unknownBlocksOfAGIFFileAreMetadata(_ name: String, _ isPlain: Bool) throws {
    let file = try Specimen.plain("gif")
    let first = 13 + (file[10] & 0x80 == 0 ? 0 : 3 << (Int(file[10] & 7) + 1))
    let block = [0x21, 0xFF, 11] + Array(name.utf8) + [3, 1, 0, 0, 0]
    let changed = Array(file[..<first]) + block + file[first...]
    #expect(Metadata.isAbsent(in: .bytes(changed)) == isPlain)
  }

  @Test func aFileOfUnknownFormatDoesNotCountAsFreeOfMetadata() {
    #expect(!Metadata.isAbsent(in: .bytes([])))
    #expect(!Metadata.isAbsent(in: .bytes(Array("text".utf8))))
  }
}
