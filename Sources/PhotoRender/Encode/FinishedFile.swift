import Glibc
import PhotoRecipes

/// A rendition as written: checked before anybody sees it.
///
/// libvips 8.14 can report success though the last strip was not written, so the file's own end is
/// looked at.
enum FinishedFile {
  /// Whether the file in `descriptor` is whole, as far as its container says.
  static func isWhole(_ descriptor: Int32, format: any OutputFormat.Type) -> Bool {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size > 12 else { return false }
    let head = bytes(descriptor, at: 0, 12)
    let tail = bytes(descriptor, at: max(0, size - 22), 22)
    switch format.name {
    case JPEGFormat.name: return head.starts(with: [0xFF, 0xD8]) && tail.suffix(2) == [0xFF, 0xD9]
    case PNGFormat.name: return tail.suffix(8).starts(with: Array("IEND".utf8))
    case WebPFormat.name:
      let length = head[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
      return length + 8 == Int(size)
    case DeepZoomFormat.name: return tail.starts(with: [0x50, 0x4B, 5, 6])
    case GIFFormat.name: return head.starts(with: Array("GIF8".utf8)) && tail.last == 0x3B
    case AVIFFormat.name, HEICFormat.name: return boxesFill(descriptor, Int(size))
    case JXLFormat.name: return head.starts(with: [0xFF, 0x0A]) || head[4..<8] == jxlName
    default: return !head.allSatisfy { $0 == 0 }
    }
  }

  private static let jxlName = Array("JXL ".utf8)[...]

  /// Whether boxes follow one another to the very end.
  ///
  /// - Source: ISO/IEC 14496-12:2022, 4.2.
  private static func boxesFill(_ descriptor: Int32, _ size: Int) -> Bool {
    var place = 0
    while place + 8 <= size {
      let head = bytes(descriptor, at: off_t(place), 16)
      let short = head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      let isLong = short == 1 && head.count == 16
      let length = isLong ? head[8..<16].reduce(0) { ($0 & (Int.max >> 9)) << 8 | Int($1) } : short
      // A box of length 0 goes on to the end.
      if length == 0 { return place > 0 }
      guard length >= 8 else { return false }
      place += length
    }
    return place == size
  }

  /// The bytes of the file.
  static func size(_ descriptor: Int32) -> Int { Int(lseek(descriptor, 0, SEEK_END)) }

  /// Writes these bytes in place of what is in the file; false where they could not be written.
  static func replace(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { return false }
    return append(bytes, to: descriptor)
  }

  /// Writes all of these bytes; false where they could not be written.
  static func append(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  private static func bytes(_ descriptor: Int32, at offset: Int, _ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = unsafe bytes.withUnsafeMutableBytes {
      unsafe pread(descriptor, $0.baseAddress, count, offset)
    }
    return Array(bytes.prefix(max(0, read)))
  }
}
