import PhotoMetadata
import PhotoRecipes

/// Looks whether a picture's file holds the picture, its profile, and nothing about who took it when
/// and where: no metadata, no comment, no thumbnail, nothing after its end.
///
/// Only what is known to be harmless passes; every other part of the file counts as something else.
/// - Source: ITU-T T.81, B.1.1.3 (JPEG markers); PNG, third edition, 11; WebP Container
///   Specification, RFC 9649.
struct PlainContainer {
  private let file: PhotoFile
  private let size: Int

  /// `size` is the file's, in bytes.
  init(_ file: PhotoFile, size: Int) {
    self.file = file
    self.size = size
  }

  /// Whether the file, which this libvips operation reads, is plain; false of other formats.
  func isPlain(_ loader: String) -> Bool {
    switch loader {
    case "jpegload_source": isPlainJPEG
    case "pngload_source": isPlainPNG
    case "webpload_source": isPlainWebP
    case "heifload_source", "jxlload_source", "gifload_source", "tiffload_source":
      Metadata.isAbsent(in: file.byteSource)
    default: false
    }
  }

  /// Segments up to the first scan, then nothing but scans and tables, then the end.
  private var isPlainJPEG: Bool {
    guard number(0, 2) == 0xFFD8 else { return false }
    var place = 2
    while place + 4 <= size {
      guard number(place, 1) == 0xFF else { return false }
      let marker = number(place + 1, 1)
      let length = number(place + 2, 2)
      switch marker {
      // Frames, tables, restart interval.
      case 0xC0...0xCF, 0xDB, 0xDD: break
      case 0xDA: return endsAtFirstEnd(from: place + 2 + length)
      case 0xE0: guard starts(place + 4, "JFIF\0") else { return false }
      case 0xE2: guard starts(place + 4, "ICC_PROFILE\0") else { return false }
      case 0xEE: guard starts(place + 4, "Adobe") else { return false }
      case 0xE1: guard isTechnicalExif(at: place + 4, length - 2) else { return false }
      default: return false
      }
      if length < 2 { return false }
      place += 2 + length
    }
    return false
  }

  /// Whether the first end of image in what follows is the end of the file, and only scans and their
  /// tables come before it.
  private func endsAtFirstEnd(from start: Int) -> Bool {
    var offset = start
    var hasMark = false
    while offset < size {
      let bytes = file.part(offset, 1 << 16)
      if bytes.isEmpty { return false }
      for (index, byte) in bytes.enumerated() {
        if hasMark {
          switch byte {
          // Stuffing and restarts; a scan with its tables.
          case 0x00, 0xFF, 0xD0...0xD7, 0xC4, 0xDA, 0xDB, 0xDD: break
          case 0xD9: return offset + index + 1 == size
          default: return false
          }
        }
        hasMark = byte == 0xFF
      }
      offset += bytes.count
    }
    return false
  }

  /// Whether an Exif segment says only how the pixels are stored: the block that libvips and others
  /// write into every file.
  ///
  /// - Source: Exif 2.32, 4.6; TIFF Revision 6.0, section 2.
  private func isTechnicalExif(at place: Int, _ length: Int) -> Bool {
    guard starts(place, "Exif\0\0"), length < 512 else { return false }
    let tiff = place + 6
    let isLittle = number(tiff, 2) == 0x4949
    func value(_ offset: Int, _ count: Int) -> Int { number(tiff + offset, count, isLittle) }
    var directories = [value(4, 4)]
    while let directory = directories.popLast() {
      let count = value(directory, 2)
      guard count < 32, directory > 0 else { return false }
      for entry in (0..<count).map({ directory + 2 + 12 * $0 }) {
        let tag = value(entry, 2)
        if tag == 0x8769 {
          directories.append(value(entry + 8, 4))
        } else if !Self.technicalTags.contains(tag) {
          return false
        }
      }
      // A second directory would be a thumbnail's.
      if value(directory + 2 + 12 * count, 4) != 0 { return false }
    }
    return true
  }

  /// Size, orientation, resolution, samples, and the versions of the standard.
  private static let technicalTags: Set<Int> = [
    0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x0112, 0x0115, 0x011A, 0x011B, 0x011C, 0x0128, 0x0213,
    0x9000, 0x9101, 0xA000, 0xA001, 0xA002, 0xA003,
  ]

  private static let plainChunks: Set<String> = [
    "IHDR", "PLTE", "IDAT", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "pHYs", "sBIT", "bKGD", "cICP",
  ]

  private var isPlainPNG: Bool {
    var place = 8
    while place + 12 <= size {
      let (length, name) = (number(place, 4), text(place + 4, 4))
      if name == "IEND" { return place + 12 + length == size }
      guard Self.plainChunks.contains(name) else { return false }
      place += 12 + length
    }
    return false
  }

  private static let plainParts: Set<String> = ["VP8 ", "VP8L", "VP8X", "ALPH", "ICCP", "ANIM"]
  private static let framePart = "ANMF"
  /// What a frame's part has before its own parts: its place, size and time.
  private static let frameHead = 16

  private var isPlainWebP: Bool {
    guard starts(0, "RIFF"), number(4, 4, true) + 8 == size else { return false }
    return hasPlainParts(12, size)
  }

  /// Whether nothing but known parts fills a range of a WebP file, and its frames.
  private func hasPlainParts(_ start: Int, _ end: Int, inFrame: Bool = false) -> Bool {
    var place = start
    while place + 8 <= end {
      let (name, length) = (text(place, 4), number(place + 4, 4, true))
      let next = place + 8 + length + length % 2
      if name == Self.framePart && !inFrame && length >= Self.frameHead && next <= end {
        guard hasPlainParts(place + 8 + Self.frameHead, next, inFrame: true) else { return false }
      } else if !Self.plainParts.contains(name) {
        return false
      }
      place = next
    }
    return place == end
  }

  private func starts(_ place: Int, _ text: String) -> Bool {
    file.part(place, text.utf8.count) == Array(text.utf8)
  }

  private func text(_ place: Int, _ count: Int) -> String {
    String(decoding: file.part(place, count), as: UTF8.self)
  }

  /// 0 beyond the end of the file.
  private func number(_ place: Int, _ count: Int, _ isLittle: Bool = false) -> Int {
    let bytes = file.part(place, count)
    return (isLittle ? bytes.reversed() : bytes).reduce(0) { $0 << 8 | Int($1) }
  }
}
