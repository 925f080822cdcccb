import FileStructure
import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoMetadata

/// Metadata of JPEG XL in boxes compressed with Brotli.
@Suite struct CompressedBoxTests {
  /// A JPEG XL file with an EXIF block and an XMP packet.
  private static let plain = Result {
    var metadata = Metadata()
    var exif = EXIF(order: .big)
    exif.set(.model, text: "Box")
    metadata.exif = exif
    var xmp = XMP()
    xmp.set(.dc("title"), "Alt", ["A title"])
    metadata.xmp = xmp
    return try metadata.embedded(in: Specimen.plain("jxl"))
  }

  /// The file `plain` with each metadata box replaced by the result of `change`.
  private static func changed(
    _ change: (_ name: String, _ content: [UInt8]) -> [UInt8]
  ) throws -> [UInt8] {
    let bytes = try plain.get()
    let file = try #require(JXLFile(.bytes(bytes)))
    return file.boxes.flatMap { box in
      ["Exif", "xml "].contains(box.name)
        ? change(box.name, Array(bytes[box.content])) : Array(bytes[box.offset..<box.end])
    }
  }

  private static func compressed(_ name: String, _ stream: [UInt8]) -> [UInt8] {
    BoxBytes.box("brob", Array(name.utf8) + stream)
  }

  /// A Brotli stream of one uncompressed block and an empty last block.
  ///
  /// - Source: RFC 7932, 9.1 and 9.2.
  private static func stored(_ content: [UInt8]) -> [UInt8] {
    // The header's fields, lowest bit first: a window of 16 bits (0), not the last block (0), four
    // nibbles for the length (00), the length minus one, an uncompressed block (1).
    let head = (content.count - 1) << 4 | 1 << 20
    return [UInt8(head & 255), UInt8(head >> 8 & 255), UInt8(head >> 16 & 255)] + content + [3]
  }

  @Test func compressedMetadataBoxesAreReadLikeUncompressedOnes() throws {
    let file = try Self.changed { Self.compressed($0, Self.stored($1)) }
    let metadata = Metadata(of: .bytes(file))
    #expect(metadata.warnings.isEmpty)
    #expect(metadata.exif?.text(.model) == "Box")
    #expect(metadata.xmp?.text(.dc("title")) == "A title")
    #expect(metadata == Metadata(of: .bytes(try Self.plain.get())))
  }

  @Test func theFirstOfTwoMetadataBoxesIsUsed() throws {
    let file = try Self.changed { name, content in
      BoxBytes.box(name, content) + Self.compressed(name, Self.stored(content.map { _ in 0 }))
    }
    #expect(Metadata(of: .bytes(file)) == Metadata(of: .bytes(try Self.plain.get())))
  }

  @Test func aDamagedCompressedBoxIsSkippedWithAWarning() throws {
    let file = try Self.changed { name, content in
      name == "Exif" ? BoxBytes.box(name, content) : Self.compressed(name, [0x21, 1, 2, 3])
    }
    let metadata = Metadata(of: .bytes(file))
    #expect(metadata.exif?.text(.model) == "Box")
    #expect(metadata.xmp == nil)
    #expect(
      metadata.warnings == ["compressed metadata was left out because it is damaged or too large"])
  }

  @Test func aTruncatedBrotliStreamIsReportedAsDamaged() throws {
    let file = try Self.changed { Self.compressed($0, Self.stored($1).dropLast(9)) }
    let metadata = Metadata(of: .bytes(file))
    #expect(metadata.exif == nil && metadata.xmp == nil && metadata.warnings.count == 1)
  }

  /// A box is skipped if its 40 bytes expand to 17 MiB of zeros, 1 MiB more than the limit.
  @Test func aCompressedBoxThatExpandsBeyondTheLimitIsSkipped() throws {
    let bomb: [UInt8] = [
      203, 255, 255, 63, 248, 39, 0, 226, 177, 64, 32, 247, 254, 143, 255, 255, 127, 240, 79, 0,
      196,
      97, 17, 128, 238, 253, 95, 253, 255, 63, 254, 9, 128, 56, 44, 0, 208, 189, 127, 0,
    ]
    #expect(bomb.brotliExpanded(limit: 17 << 20)?.count == 17 << 20)
    #expect(bomb.brotliExpanded(limit: Blocks.limit) == nil)
    let file = try Self.changed { name, _ in Self.compressed(name, bomb) }
    let metadata = Metadata(of: .bytes(file))
    #expect(metadata.exif == nil && metadata.warnings.count == 1)
  }

  /// An empty compressed box, and a compressed box of another type than metadata, are ignored.
  @Test func compressedBoxesWithoutMetadataAreIgnored() throws {
    let file = try Self.changed { name, content in
      BoxBytes.box("brob", []) + Self.compressed("jumb", [1, 2]) + BoxBytes.box(name, content)
    }
    #expect(Metadata(of: .bytes(file)) == Metadata(of: .bytes(try Self.plain.get())))
  }
}
