import FileStructure

/// The metadata of a WebP file.
///
/// - Source: WebP Container Specification, RFC 9649.
extension WebPFile {
  private enum Flag {
    static let xmp = 0x04
    static let exif = 0x08
    static let alpha = 0x10
  }

  var blocks: Blocks {
    var blocks = Blocks()
    for chunk in chunks {
      switch chunk.name {
      case "EXIF":
        guard let bytes = source.whole(at: chunk.data, chunk.length, limit: Blocks.limit) else {
          continue
        }
        blocks.exif = blocks.exif ?? EXIF(skippingSignature: bytes)
      case "XMP ":
        if let bytes = source.whole(at: chunk.data, chunk.length, limit: Blocks.limit),
          blocks.xmp.isEmpty
        {
          blocks.xmp.append(bytes)
        }
      case "C2PA":
        if ContentCredentials.begin(source.bytes(at: chunk.data, min(chunk.length, 64))) {
          blocks.attachments.insert(.credentials)
        }
      default: continue
      }
    }
    return blocks
  }

  func edits(
    embedding metadata: Metadata, _ warnings: inout [String]
  ) throws(MetadataError) -> FileEdits {
    var edits = FileEdits()
    for chunk in chunks where chunk.name == "EXIF" || chunk.name == "XMP " {
      edits.add(at: chunk.offset, removing: min(chunk.total, source.count - chunk.offset))
    }
    var added: [UInt8] = []
    var flags = 0
    if let exif = metadata.exif {
      added += Self.chunk("EXIF", exif.block(limit: Blocks.limit, &warnings))
      flags |= Flag.exif
    }
    if let xmp = metadata.xmp {
      added += Self.chunk("XMP ", xmp.packet)
      flags |= Flag.xmp
    }
    try extend(&edits, flags)
    edits.add(at: source.count, inserting: added)
    let length = source.count - 8 + edits.growth
    guard length <= UInt32.max else { throw .malformed("the content is too long for WebP") }
    edits.patch(at: 4, ByteOrder.little.bytes(length, 4))
    return edits
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    Array(name.utf8) + ByteOrder.little.bytes(data.count, 4) + data
      + (data.count % 2 == 0 ? [] : [0])
  }

  /// Sets the flags of EXIF and XMP in the extended header (`VP8X`), and adds this header to a file
  /// without it.
  private func extend(_ edits: inout FileEdits, _ flags: Int) throws(MetadataError) {
    guard let first = chunks.first else { throw .malformed("there are no WebP chunks") }
    if first.name == "VP8X" {
      guard let old = source.number(at: first.data, 1, .little) else {
        throw .malformed("the VP8X chunk is cut off")
      }
      edits.patch(at: first.data, [UInt8(old & ~(Flag.exif | Flag.xmp) | flags)])
      return
    }
    if flags == 0 { return }
    guard let (width, height, hasAlpha) = canvas(first) else {
      throw .malformed("the first WebP chunk is unknown")
    }
    let head =
      [UInt8(flags | (hasAlpha ? Flag.alpha : 0)), 0, 0, 0] + ByteOrder.little.bytes(width - 1, 3)
      + ByteOrder.little.bytes(height - 1, 3)
    edits.add(at: first.offset, inserting: Self.chunk("VP8X", head))
  }

  /// The size and alpha flag in the header of a picture's data; nil if unreadable.
  ///
  /// - Source: RFC 6386, 9.1 (lossy); WebP Lossless Bitstream Specification, 3.
  private func canvas(_ chunk: Chunk) -> (width: Int, height: Int, hasAlpha: Bool)? {
    let data = source.bytes(at: chunk.data, 10)
    switch chunk.name {
    case "VP8 ":
      guard data.count == 10, let width = data.number(at: 6, 2, .little),
        let height = data.number(at: 8, 2, .little)
      else { return nil }
      return (max(1, width & 0x3FFF), max(1, height & 0x3FFF), false)
    case "VP8L":
      guard data.first == 0x2F, let bits = data.number(at: 1, 4, .little) else { return nil }
      return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, bits >> 28 & 1 == 1)
    default: return nil
    }
  }
}

extension WebPFile {
  private static let known: Set<String> = [
    "VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP", "EXIF", "XMP ",
  ]

  var unexpectedParts: [String] {
    let unexpected = chunks.map(\.name).filter { !Self.known.contains($0) }.map {
      "a '\($0)' chunk"
    }
    let end = chunks.last?.end ?? 0
    return source.count > end ? unexpected + ["bytes after the picture"] : unexpected
  }
}
