import FileStructure
import PhotoMetadata
import Testing

/// Only JUMBF boxes of C2PA are content credentials.
@Suite struct ContentCredentialsTests {
  private static let rest: [UInt8] = [0, 0x11, 0, 0x10, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]

  /// A JUMBF superbox of the given type, which is also its label.
  private static func superbox(_ type: String) -> [UInt8] {
    let head = Array(type.utf8) + rest + [3] + Array("\(type)\0".utf8)
    return BoxBytes.box("jumb", BoxBytes.box("jumd", head))
  }

  private static func jpeg(segment content: [UInt8]) throws -> [UInt8] {
    var file = try Specimen.plain("jpeg")
    let segment = [0xFF, 0xEB] + BoxBytes.number(content.count + 2, 2) + content
    file.insert(contentsOf: segment, at: 2)
    return file
  }

  private static func attachments(_ file: [UInt8]) -> Set<Metadata.Attachment> {
    Metadata(of: .bytes(file)).attachments
  }

  @Test func contentCredentialsInAJPEGSegmentAreFound() throws {
    let head: [UInt8] = Array("JP".utf8) + [0, 1, 0, 0, 0, 1]
    #expect(
      try Self.attachments(Self.jpeg(segment: head + Self.superbox("c2pa"))) == [.credentials])
    // The credentials are also found if the box states a length beyond its segment, as if it filled
    // several segments, or a 64-bit length.
    let long = [0, 1, 0, 0] + Self.superbox("c2pa").dropFirst(4)
    #expect(try Self.attachments(Self.jpeg(segment: head + long)) == [.credentials])
    let wide = [0, 0, 0, 1] + Array("jumb".utf8) + BoxBytes.number(80, 8)
    let content = Self.superbox("c2pa").dropFirst(8)
    #expect(try Self.attachments(Self.jpeg(segment: head + wide + content)) == [.credentials])
  }

  @Test func jpegSegmentsWithoutContentCredentialsAreIgnored() throws {
    let head: [UInt8] = Array("JP".utf8) + [0, 1, 0, 0, 0, 1]
    for content in [
      [0, 0], [], Array("HDR_RI ver=11".utf8), head, head + Self.superbox("json"),
      head + Array(Self.superbox("c2pa").prefix(20)),
    ] {
      #expect(try Self.attachments(Self.jpeg(segment: content)).isEmpty, "\(content)")
    }
  }

  @Test func contentCredentialsInAPNGChunkAreFound() throws {
    for (type, isFound) in [("c2pa", true), ("json", false)] {
      let content = Self.superbox(type)
      let chunk = BoxBytes.number(content.count, 4) + Array("caBX".utf8) + content + [0, 0, 0, 0]
      var file = try Specimen.plain("png")
      // Inserts the chunk before the last chunk, which has 12 bytes.
      file.insert(contentsOf: chunk, at: file.count - 12)
      #expect(Self.attachments(file).contains(.credentials) == isFound, "\(type)")
    }
  }

  @Test func contentCredentialsInAWebPChunkAreFound() throws {
    for (content, isFound) in [
      (Self.superbox("c2pa"), true), (Self.superbox("json"), false), ([], false),
      (Array(Self.superbox("c2pa").prefix(20)), false),
    ] {
      let length = BoxBytes.number(content.count, 4).reversed()
      let padding = [UInt8](repeating: 0, count: content.count % 2)
      let file = try Specimen.plain("webp") + Array("C2PA".utf8) + length + content + padding
      #expect(Self.attachments(file).contains(.credentials) == isFound, "\(content)")
    }
  }

  /// The content of a `uuid` box that stores C2PA data: identifier, purpose, offset and superbox.
  private static func content(purpose: String, _ superbox: [UInt8]) -> [UInt8] {
    let identifier: [UInt8] = [
      0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4,
      0x81,
    ]
    let offset = [UInt8](repeating: 0, count: 8)
    return identifier + [0, 0, 0, 0] + Array("\(purpose)\0".utf8) + offset + superbox
  }

  @Test(arguments: ["heic", "avif"]) func contentCredentialsInHEIFAndAVIFBoxesAreFound(
    _ format: String
  ) throws {
    let plain = try Specimen.plain(format)
    let manifest = Self.content(purpose: "manifest", Self.superbox("c2pa"))
    for (box, isFound) in [
      (BoxBytes.box("uuid", manifest), true), (Self.superbox("c2pa"), true),
      (Self.superbox("json"), false), (BoxBytes.box("jumb", []), false),
      (BoxBytes.box("uuid", []), false), (BoxBytes.box("uuid", Array(manifest.prefix(16))), false),
      (BoxBytes.box("uuid", Array(manifest.prefix(60))), false),
      (BoxBytes.box("uuid", [1] + manifest.dropFirst()), false),
      (BoxBytes.box("uuid", Self.content(purpose: "manifest", Self.superbox("json"))), false),
      (BoxBytes.box("uuid", Self.content(purpose: "merkle", Self.superbox("c2pa"))), false),
    ] {
      #expect(Self.attachments(plain + box).contains(.credentials) == isFound, "\(box)")
    }
  }

  /// A little-endian TIFF file with one field of bytes.
  private static func tiff(tag: UInt16, _ content: [UInt8], stated: Int? = nil) -> [UInt8] {
    let count = stated ?? content.count
    let entry: [UInt8] =
      [UInt8(tag & 255), UInt8(tag >> 8), 7, 0] + BoxBytes.number(count, 4).reversed()
      + [26, 0, 0, 0]
    return Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0] + entry + [0, 0, 0, 0] + content
  }

  @Test func contentCredentialsInATIFFTagAreFound() {
    let superbox = Self.superbox("c2pa")
    #expect(Self.attachments(Self.tiff(tag: 0xCD41, superbox)) == [.credentials])
    // The credentials are also found in a truncated file.
    #expect(Self.attachments(Self.tiff(tag: 0xCD41, superbox, stated: 9_999)) == [.credentials])
    for file in [
      Self.tiff(tag: 0xCD40, superbox), Self.tiff(tag: 0xCD41, Self.superbox("json")),
      Self.tiff(tag: 0xCD41, [0, 0, 0, 0, 0]), Self.tiff(tag: 0xCD41, [], stated: 9_999),
    ] {
      #expect(Self.attachments(file).isEmpty)
    }
  }

  @Test func contentCredentialsInAJPEGXLBoxAreFound() {
    let stream = BoxBytes.box("jxlc", [0xFF, 0x0A])
    #expect(
      Self.attachments(BoxBytes.jxlHead + Self.superbox("c2pa") + stream) == [.credentials])
    #expect(Self.attachments(BoxBytes.jxlHead + Self.superbox("json") + stream).isEmpty)
  }
}
