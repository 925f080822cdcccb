/// Which byte of a number comes first.
public enum ByteOrder: Sendable, Hashable {
  /// `II` in TIFF.
  case little
  /// `MM` in TIFF.
  case big

  /// The bytes of an unsigned number, `width` of them.
  func bytes(_ number: UInt64, _ width: Int) -> [UInt8] {
    let little = (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    return self == .little ? little : little.reversed()
  }

  func bytes(_ number: Int, _ width: Int) -> [UInt8] { bytes(UInt64(max(0, number)), width) }

  /// An unsigned number of at most eight bytes.
  func number(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
    switch self {
    case .little: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    case .big: bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}

extension [UInt8] {
  /// An unsigned number; nil where it does not fit into the array.
  func number(at offset: Int, _ width: Int, _ order: ByteOrder) -> Int? {
    guard offset >= 0, width <= count, offset <= count - width else { return nil }
    return Int(exactly: order.number(self[offset..<(offset + width)]))
  }

  /// Four bytes as text: the name of a chunk or a box.
  func name(at offset: Int) -> String? {
    guard offset >= 0, count >= 4, offset <= count - 4 else { return nil }
    return String(String.UnicodeScalarView(self[offset..<(offset + 4)].map { Unicode.Scalar($0) }))
  }
}
