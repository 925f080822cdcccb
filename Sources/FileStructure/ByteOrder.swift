/// The order of the bytes of an integer.
public enum ByteOrder: Sendable, Hashable {
  /// The least significant byte first; `II` in TIFF.
  case little
  /// The most significant byte first; `MM` in TIFF.
  case big

  /// Returns an unsigned integer as `width` bytes in this order.
  package func bytes(_ number: UInt64, _ width: Int) -> [UInt8] {
    let little = (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    return self == .little ? little : little.reversed()
  }

  package func bytes(_ number: Int, _ width: Int) -> [UInt8] {
    bytes(UInt64(max(0, number)), width)
  }

  /// Returns the unsigned integer that `bytes`, at most eight of them, represent in this order.
  package func number(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
    switch self {
    case .little: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    case .big: bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}

extension [UInt8] {
  /// Returns the unsigned integer in the `width` bytes at `offset`; nil if they are not all in the
  /// array or the integer exceeds `Int.max`.
  package func number(at offset: Int, _ width: Int, _ order: ByteOrder) -> Int? {
    guard offset >= 0, width <= count, offset <= count - width else { return nil }
    return Int(exactly: order.number(self[offset..<(offset + width)]))
  }

  /// Returns the four bytes at `offset` as text, such as the name of a chunk or box; nil if they
  /// are not all in the array.
  package func name(at offset: Int) -> String? {
    guard offset >= 0, count >= 4, offset <= count - 4 else { return nil }
    return String(String.UnicodeScalarView(self[offset..<(offset + 4)].map { Unicode.Scalar($0) }))
  }

  /// True if `other` occurs in this array as consecutive bytes.
  package func contains(_ other: [UInt8]) -> Bool {
    guard let first = other.first else { return true }
    var start = startIndex
    while let found = self[start...].firstIndex(of: first) {
      if self[found...].starts(with: other) { return true }
      start = found + 1
    }
    return false
  }
}

/// Reads values from an array of bytes one after the other; integers are big-endian.
///
/// A read beyond the end returns nil.
package struct ByteCursor {
  package let bytes: [UInt8]
  package var offset = 0

  package init(_ bytes: [UInt8], at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  package mutating func number(_ width: Int) -> Int? {
    if width == 0 { return 0 }
    defer { offset += width }
    return bytes.number(at: offset, width, .big)
  }

  package mutating func name() -> String? {
    defer { offset += 4 }
    return bytes.name(at: offset)
  }

  /// Returns the text from the current offset to the next NUL, and moves to the byte after the NUL;
  /// returns nil if no NUL follows.
  package mutating func text() -> String? {
    guard offset <= bytes.count, let end = bytes[offset...].firstIndex(of: 0) else { return nil }
    defer { offset = end + 1 }
    return String(decoding: bytes[offset..<end], as: UTF8.self)
  }
}
