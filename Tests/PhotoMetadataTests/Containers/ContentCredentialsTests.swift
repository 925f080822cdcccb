import FileStructure
import PhotoMetadata
import Testing

/// Only JUMBF boxes of C2PA are content credentials.
@Suite struct ContentCredentialsTests {
  private static let rest: [UInt8] = [0, 0x11, 0, 0x10, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]

  /// A superbox of a type, with a label.
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

  @Test func aSegmentOfC2PAIsFound() throws {
    let head: [UInt8] = Array("JP".utf8) + [0, 1, 0, 0, 0, 1]
    #expect(
      try Self.attachments(Self.jpeg(segment: head + Self.superbox("c2pa"))) == [.credentials])
    // The length of a box that fills several segments, and one of 64 bits.
    let long = [0, 1, 0, 0] + Self.superbox("c2pa").dropFirst(4)
    #expect(try Self.attachments(Self.jpeg(segment: head + long)) == [.credentials])
    let wide = [0, 0, 0, 1] + Array("jumb".utf8) + BoxBytes.number(80, 8)
    let content = Self.superbox("c2pa").dropFirst(8)
    #expect(try Self.attachments(Self.jpeg(segment: head + wide + content)) == [.credentials])
  }

  @Test func otherSegmentsAreNone() throws {
    let head: [UInt8] = Array("JP".utf8) + [0, 1, 0, 0, 0, 1]
    for content in [
      [0, 0], [], Array("HDR_RI ver=11".utf8), head, head + Self.superbox("json"),
      head + Array(Self.superbox("c2pa").prefix(20)),
    ] {
      #expect(try Self.attachments(Self.jpeg(segment: content)).isEmpty, "\(content)")
    }
  }

  @Test func pngChunks() throws {
    for (type, isFound) in [("c2pa", true), ("json", false)] {
      let content = Self.superbox(type)
      let chunk = BoxBytes.number(content.count, 4) + Array("caBX".utf8) + content + [0, 0, 0, 0]
      var file = try Specimen.plain("png")
      // Before the last chunk, of 12 bytes.
      file.insert(contentsOf: chunk, at: file.count - 12)
      #expect(Self.attachments(file).contains(.credentials) == isFound, "\(type)")
    }
  }

  @Test func jpegXLBoxes() {
    let stream = BoxBytes.box("jxlc", [0xFF, 0x0A])
    #expect(
      Self.attachments(BoxBytes.jxlHead + Self.superbox("c2pa") + stream) == [.credentials])
    #expect(Self.attachments(BoxBytes.jxlHead + Self.superbox("json") + stream).isEmpty)
  }
}
