import FileStructure

/// The blocks of a GIF file: comments, and XMP in Adobe's application block.
///
/// - Source: GIF89a Specification, CompuServe, 1990; XMP Specification part 3, 1.1.2.
struct GIFFile {
  private enum Kind {
    case comment
    case xmp
    /// The timing of a frame or of the animation.
    case timing
    case other
  }

  private struct Block {
    let kind: Kind
    let range: Range<Int>
    let content: Range<Int>
  }

  private static let xmp = Array("XMP DataXMP".utf8)
  /// The application blocks with the number of repetitions.
  private static let repetitions = ["NETSCAPE2.0", "ANIMEXTS1.0"].map { Array($0.utf8) }
  /// The bytes that follow an XMP packet.
  ///
  /// A reader without XMP support takes bytes of the packet for lengths of sub-blocks, until it
  /// reaches one of these bytes. Each of them, taken as a length, leads the reader to the zero that
  /// ends the block.
  private static let trailer: [UInt8] = [1] + (0...255).reversed().map { UInt8($0) } + [0]

  private let source: ByteSource
  private let allBlocks: [Block]
  /// The offset of the first block, after the global palette; nil if the header is truncated.
  private let first: Int?
  /// The offset after the trailer byte; nil if no trailer follows the blocks.
  let end: Int?
  /// True if the file ends within a block.
  let isCut: Bool
  /// The number of complete frames.
  let frameCount: Int
  /// True if the screen or a frame has pixels.
  let hasPixels: Bool

  init?(_ source: ByteSource) {
    guard Self.hasSignature(source) else { return nil }
    let head = source.bytes(at: 0, 13)
    self.source = source
    guard head.count == 13 else {
      (allBlocks, first, end, isCut, frameCount, hasPixels) = ([], nil, nil, true, 0, false)
      return
    }
    var offset = 13 + Self.paletteLength(head[10])
    first = offset
    var blocks: [Block] = []
    var found: Int?
    var count = 0
    var frames = 0
    var pixels = Self.pixels(head, at: 6)
    var cut = false
    while count < 1_000_000 {
      count += 1
      guard let kind = source.bytes(at: offset, 1).first else {
        cut = offset > source.count
        break
      }
      if kind == 0x3B {
        found = offset + 1
        break
      }
      if kind == 0x2C {
        let picture = source.bytes(at: offset + 1, 9)
        guard picture.count == 9,
          let next = Self.end(ofBlocks: offset + 11 + Self.paletteLength(picture[8]), source)
        else {
          cut = true
          break
        }
        frames += 1
        pixels = max(pixels, Self.pixels(picture, at: 4))
        offset = next
        continue
      }
      guard kind == 0x21 else { break }
      guard let label = source.bytes(at: offset + 1, 1).first,
        let next = Self.end(ofBlocks: offset + 2, source)
      else {
        cut = true
        break
      }
      let role = Self.kind(label, source.bytes(at: offset + 3, Self.xmp.count))
      let content =
        role == .xmp
        ? (offset + 14)..<max(offset + 14, next - Self.trailer.count)
        : (offset + 2)..<next
      blocks.append(Block(kind: role, range: offset..<next, content: content))
      offset = next
    }
    allBlocks = blocks
    end = found
    isCut = cut
    frameCount = frames
    hasPixels = pixels > 0
  }

  /// The kind of an extension; `name` is that of an application.
  private static func kind(_ label: UInt8, _ name: [UInt8]) -> Kind {
    switch label {
    case 0xF9: .timing
    case 0xFE: .comment
    case 0xFF: name == xmp ? .xmp : repetitions.contains(name) ? .timing : .other
    default: .other
    }
  }

  static func hasSignature(_ source: ByteSource) -> Bool {
    source.bytes(at: 0, 4).elementsEqual("GIF8".utf8)
  }

  /// The number of pixels: the product of the width and the height that are stored at `offset`.
  private static func pixels(_ bytes: [UInt8], at offset: Int) -> Int {
    (bytes.number(at: offset, 2, .little) ?? 0) * (bytes.number(at: offset + 2, 2, .little) ?? 0)
  }

  /// The number of bytes of a palette, determined by the flags in the header of the screen or
  /// frame.
  private static func paletteLength(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }

  /// The offset after a chain of sub-blocks; nil if the file ends before the chain does.
  private static func end(ofBlocks start: Int, _ source: ByteSource) -> Int? {
    var offset = start
    while let length = source.bytes(at: offset, 1).first {
      offset += 1 + Int(length)
      if length == 0 { return offset }
    }
    return nil
  }

  var blocks: Blocks {
    var result = Blocks()
    for block in allBlocks {
      switch block.kind {
      case .comment: result.comments.append(text(block))
      case .xmp:
        guard result.xmp.isEmpty,
          let bytes = source.whole(
            at: block.content.lowerBound, block.content.count, limit: Blocks.limit)
        else { continue }
        result.xmp.append(bytes)
      case .timing, .other: continue
      }
    }
    return result
  }

  private func text(_ block: Block) -> String {
    var bytes: [UInt8] = []
    var offset = block.content.lowerBound
    while offset < block.content.upperBound, bytes.count < 1 << 16,
      let length = source.bytes(at: offset, 1).first, length > 0
    {
      bytes += source.bytes(at: offset + 1, Int(length))
      offset += 1 + Int(length)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func edits(embedding metadata: Metadata) throws(MetadataError) -> FileEdits {
    guard let first, end != nil else {
      throw .malformed("the blocks are damaged: the trailer cannot be found")
    }
    var edits = FileEdits()
    for block in allBlocks where [.comment, .xmp].contains(block.kind) {
      edits.add(at: block.range.lowerBound, removing: block.range.count)
    }
    var added: [UInt8] = []
    if let xmp = metadata.xmp {
      added += [0x21, 0xFF, 11] + Self.xmp + xmp.packet + Self.trailer
    }
    for comment in metadata.comments {
      added += [0x21, 0xFE]
      let bytes = Array(comment.utf8)
      for start in stride(from: 0, to: bytes.count, by: 255) {
        let part = bytes[start..<min(bytes.count, start + 255)]
        added += [UInt8(part.count)] + part
      }
      added.append(0)
    }
    if !added.isEmpty { edits.patch(at: 4, [UInt8(ascii: "9")]) }
    edits.add(at: first, inserting: added)
    return edits
  }

  /// True if the file has no extensions but those of pictures and metadata, and no bytes follow
  /// them.
  var isPlain: Bool { unexpectedParts.isEmpty && !allBlocks.contains { $0.kind == .other } }

  var unexpectedParts: [String] {
    end.map { source.count > $0 ? ["bytes after the picture"] : [] } ?? []
  }
}
