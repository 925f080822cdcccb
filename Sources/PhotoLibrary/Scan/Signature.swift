/// What the first bytes of a file say it is.
enum Signature: Equatable {
  case photo(PhotoFormat)
  case unsupported(UnsupportedFormat)
  case none

  /// Looks for marks of two common bytes only if the extension claims that they are there.
  init(_ head: [UInt8], claim: FileClaim) {
    if let certain = Self.certain.first(where: { $0.matches(head) }) {
      self = certain.meaning
    } else if let container = Self.container(head) {
      self = container
    } else if let directory = TIFFHead(head) {
      self = directory.isRaw ? .unsupported(.raw) : .photo(.tiff)
    } else if Self.isDrawing(head) {
      self = .unsupported(.document)
    } else if claim == .unsupported(.picture), head.starts(with: "BM".utf8) || Self.isPixmap(head) {
      self = .unsupported(.picture)
    } else {
      self = .none
    }
  }

  /// Bytes that stand at one place of every file of a kind.
  private struct Mark {
    let bytes: [UInt8]
    let offset: Int
    let meaning: Signature

    init(_ bytes: [UInt8], at offset: Int = 0, _ meaning: Signature) {
      self.bytes = bytes
      self.offset = offset
      self.meaning = meaning
    }

    init(_ text: String, at offset: Int = 0, _ meaning: Signature) {
      self.init(Array(text.utf8), at: offset, meaning)
    }

    func matches(_ head: [UInt8]) -> Bool { head.dropFirst(offset).starts(with: bytes) }
  }

  private static let certain: [Mark] = [
    Mark([0xFF, 0xD8, 0xFF], .photo(.jpeg)),
    Mark([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .photo(.png)),
    Mark("GIF87a", .photo(.gif)),
    Mark("GIF89a", .photo(.gif)),
    Mark([0xFF, 0x0A], .photo(.jxl)),
    Mark("\0\0\0\u{0C}JXL \r\n", .photo(.jxl)),
    Mark("\0\0\0\u{0C}jP  \r\n", .photo(.jp2)),
    Mark([0xFF, 0x4F, 0xFF, 0x51], .photo(.jp2)),
    Mark("FUJIFILMCCD-RAW", .unsupported(.raw)),
    Mark("FOVb", .unsupported(.raw)),
    Mark("\0MRM", .unsupported(.raw)),
    Mark("HEAPCCDR", at: 6, .unsupported(.raw)),
    Mark("IIU\0", .unsupported(.raw)),
    Mark("IIRO", .unsupported(.raw)),
    Mark("IIRS", .unsupported(.raw)),
    Mark("MMOR", .unsupported(.raw)),
    Mark("8BPS", .unsupported(.picture)),
    Mark([0x76, 0x2F, 0x31, 0x01], .unsupported(.picture)),
    Mark("#?RADIANCE", .unsupported(.picture)),
    Mark("#?RGBE", .unsupported(.picture)),
    Mark("qoif", .unsupported(.picture)),
    Mark("gimp xcf", .unsupported(.picture)),
    Mark("SIMPLE  =", .unsupported(.picture)),
    Mark("DICM", at: 128, .unsupported(.picture)),
    Mark("%PDF-", .unsupported(.document)),
    Mark("%!PS", .unsupported(.document)),
    Mark([0x1A, 0x45, 0xDF, 0xA3], .unsupported(.video)),
    Mark([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], .unsupported(.video)),
    Mark("FLV\u{01}", .unsupported(.video)),
    Mark([0, 0, 1, 0xBA], .unsupported(.video)),
    Mark([0, 0, 1, 0xB3], .unsupported(.video)),
    Mark("moov", at: 4, .unsupported(.video)),
    Mark("mdat", at: 4, .unsupported(.video)),
    Mark("wide", at: 4, .unsupported(.video)),
    Mark("pnot", at: 4, .unsupported(.video)),
  ]

  /// RIFF, and the ISO base media format, which name what they hold.
  private static func container(_ head: [UInt8]) -> Signature? {
    guard head.count >= 12 else { return nil }
    let kind = head[8..<12]
    if head.starts(with: "RIFF".utf8) {
      if kind.elementsEqual("WEBP".utf8) { return .photo(.webp) }
      return kind.elementsEqual("AVI ".utf8) ? .unsupported(.video) : nil
    }
    guard head[4..<8].elementsEqual("ftyp".utf8) else { return nil }
    return MediaBrands(head).meaning
  }

  /// XML whose first element of note is `svg`.
  private static func isDrawing(_ head: [UInt8]) -> Bool {
    let text = String(decoding: head.prefix(1_024), as: UTF8.self).drop {
      $0.isWhitespace || $0 == "\u{FEFF}"
    }
    return text.hasPrefix("<svg")
      || (["<?xml", "<!--", "<!DOCTYPE svg"].contains(where: text.hasPrefix)
        && text.contains("<svg"))
  }

  /// `P1` to `P6`, `Pf` or `PF`, and white space.
  private static func isPixmap(_ head: [UInt8]) -> Bool {
    guard head.count > 2, head[0] == UInt8(ascii: "P") else { return false }
    return "123456fF".utf8.contains(head[1])
      && [0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "#")].contains(head[2])
  }
}
