/// Raw DEFLATE streams, constructed by hand.
/// - Source: RFC 1951, sections 3.2.3 to 3.2.6.
public enum Deflated {
  /// The bytes in stored (uncompressed) blocks.
  public static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = []
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      stream.append(rest.isEmpty ? 1 : 0)
      for number in [count, ~count] { stream += [UInt8(number & 255), UInt8(number >> 8)] }
      stream += block
    } while !rest.isEmpty
    return stream
  }

  /// A stream that expands to a zero byte, followed by `runs` copies of 258 zero bytes; each copy
  /// takes 13 bits.
  public static func zeros(runs: Int) -> [UInt8] {
    var bits = Bits()
    bits.append(0b1, count: 1)
    bits.append(0b01, count: 2)
    bits.append(reversed: 0b0011_0000, count: 8)
    for _ in 0..<runs {
      bits.append(reversed: 0b1100_0101, count: 8)
      bits.append(0, count: 5)
    }
    bits.append(0, count: 7)
    return bits.bytes
  }

  private struct Bits {
    private(set) var bytes: [UInt8] = []
    private var used = 8

    mutating func append(_ value: Int, count: Int) {
      for bit in 0..<count { append(value >> bit & 1) }
    }

    /// Appends a value with its highest bit first, as in Huffman codes.
    mutating func append(reversed value: Int, count: Int) {
      for bit in (0..<count).reversed() { append(value >> bit & 1) }
    }

    private mutating func append(_ bit: Int) {
      if used == 8 {
        bytes.append(0)
        used = 0
      }
      bytes[bytes.count - 1] |= UInt8(bit) << UInt8(used)
      used += 1
    }
  }
}
