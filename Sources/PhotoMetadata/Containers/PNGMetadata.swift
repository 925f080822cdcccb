import CZlib
import FileStructure
import Notation
import PhotoRecipes

/// The metadata of a PNG file.
///
/// - Source: PNG Specification, 3rd edition, 5.3 and 11.3; ExifTool 12.57 for the texts with the
///   name `Raw profile type`, which ImageMagick introduced.
extension PNGFile {
  private static let xmpKeyword = "XML:com.adobe.xmp"

  var blocks: Blocks {
    var blocks = Blocks()
    for chunk in chunks {
      switch chunk.name {
      case "eXIf":
        guard let bytes = data(chunk) else { continue }
        blocks.exif = blocks.exif ?? EXIF(bytes)
      case "tEXt", "zTXt", "iTXt":
        guard let text = data(chunk).flatMap({ PNGText($0, in: chunk.name) }) else { continue }
        add(text, to: &blocks)
      case "caBX":
        if ContentCredentials.begin(source.bytes(at: chunk.data, min(chunk.length, 64))) {
          blocks.attachments.insert(.credentials)
        }
      default: continue
      }
    }
    return blocks
  }

  private func data(_ chunk: Chunk) -> [UInt8]? {
    source.whole(at: chunk.data, chunk.length, limit: Blocks.limit)
  }

  private func add(_ text: PNGText, to blocks: inout Blocks) {
    if text.keyword == Self.xmpKeyword {
      if blocks.xmp.isEmpty { blocks.xmp.append(text.bytes) }
      return
    }
    guard text.keyword.hasPrefix("Raw profile type ") else {
      blocks.texts.append((text.keyword, String(decoding: text.bytes, as: UTF8.self)))
      return
    }
    guard let bytes = text.rawProfile else { return }
    switch text.keyword.dropFirst("Raw profile type ".count).lowercased() {
    case "exif", "app1":
      let xmp = JPEGFile.Signature.xmp
      if bytes.starts(with: xmp) {
        if blocks.xmp.isEmpty { blocks.xmp.append(Array(bytes.dropFirst(xmp.count))) }
      } else {
        blocks.exif = blocks.exif ?? EXIF(skippingSignature: bytes)
      }
    case "xmp": if blocks.xmp.isEmpty { blocks.xmp.append(bytes) }
    case "iptc", "8bim":
      blocks.iptc =
        blocks.iptc ?? PhotoshopResources.content(of: PhotoshopResources.iptc, in: bytes) ?? bytes
    default: return
    }
  }
}

/// A text chunk of a PNG file.
private struct PNGText {
  let keyword: String
  /// The text in UTF-8.
  let bytes: [UInt8]

  init?(_ data: [UInt8], in chunk: String) {
    guard let end = data.firstIndex(of: 0), end > 0, end < 80 else { return nil }
    keyword = Self.latin(data[..<end])
    var rest = data[(end + 1)...]
    var isCompressed = chunk == "zTXt"
    if chunk == "iTXt" {
      guard rest.count >= 2, let flag = rest.first else { return nil }
      isCompressed = flag == 1
      rest = rest.dropFirst(2)
      for _ in 0..<2 {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        rest = rest[(end + 1)...]
      }
    } else if isCompressed {
      rest = rest.dropFirst()
    }
    var text = Array(rest)
    if isCompressed {
      // The first two bytes are zlib's header.
      guard let inflated = try? Array(text.dropFirst(2)).inflated(limit: Blocks.limit) else {
        return nil
      }
      text = inflated
    }
    bytes = chunk == "iTXt" ? text : Array(Self.latin(text).utf8)
  }

  private static func latin(_ bytes: some Sequence<UInt8>) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// The bytes of a block that a text contains as hexadecimal digits, after the block's name and
  /// length; nil for other texts.
  var rawProfile: [UInt8]? {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
    guard lines.count == 3,
      let count = Int(String(decoding: lines[1], as: UTF8.self).trimmed), count > 0,
      count <= Blocks.limit
    else { return nil }
    let digits = lines[2].compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count >= 2 * count else { return nil }
    return (0..<count).map { place in
      let (high, low) = (digits[2 * place], digits[2 * place + 1])
      return UInt8(high << 4 | low)
    }
  }
}

extension PNGFile {
  private static let metadata: Set<String> = ["eXIf", "tEXt", "zTXt", "iTXt", "tIME", "zxIf"]

  func edits(
    embedding metadata: Metadata, _ warnings: inout [String]
  ) throws(MetadataError) -> FileEdits {
    guard chunks.first?.name == "IHDR", let pixels = chunks.first(where: { $0.name == "IDAT" })
    else { throw .malformed("there are no PNG header and pixels") }
    var edits = FileEdits()
    for chunk in chunks where Self.metadata.contains(chunk.name) {
      edits.add(at: chunk.offset, removing: chunk.total)
    }
    var added: [UInt8] = []
    if let exif = metadata.exif {
      added += Self.chunk("eXIf", exif.block(limit: Blocks.limit, &warnings))
    }
    if let xmp = metadata.xmp {
      added += Self.chunk("iTXt", Array(Self.xmpKeyword.utf8) + [0, 0, 0, 0, 0] + xmp.packet)
    }
    let texts = metadata.comments.map { ("Comment", $0) }
    for (keyword, text) in texts + metadata.texts.map({ ($0.keyword, $0.text) }) {
      added += Self.chunk("iTXt", Array(keyword.utf8) + [0, 0, 0, 0, 0] + Array(text.utf8))
    }
    edits.add(at: pixels.offset, inserting: added)
    return edits
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let checked = Array(name.utf8) + data
    let sum = unsafe checked.withUnsafeBufferPointer {
      unsafe crc32(0, $0.baseAddress, UInt32($0.count))
    }
    return ByteOrder.big.bytes(data.count, 4) + checked + ByteOrder.big.bytes(UInt64(sum), 4)
  }
}

extension PNGFile {
  private static let known: Set<String> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "sBIT", "bKGD",
    "pHYs", "hIST", "eXIf", "iTXt", "acTL", "fcTL", "fdAT",
  ]

  var unexpectedParts: [String] {
    let unexpected = chunks.map(\.name).filter { !Self.known.contains($0) }.map {
      "a '\($0)' chunk"
    }
    let end = chunks.last?.end ?? 0
    return source.count > end ? unexpected + ["bytes after the picture"] : unexpected
  }
}
