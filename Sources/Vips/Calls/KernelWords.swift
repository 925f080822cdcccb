/// The 32-bit words of a blob that a kernel reads: integers and single-precision numbers.
public struct KernelWords: Sendable {
  private var words: [UInt32] = []

  public init() {}

  public mutating func append(_ word: UInt32) { words.append(word) }

  public mutating func append(_ numbers: [Double]) {
    words.reserveCapacity(words.count + numbers.count)
    for number in numbers { words.append(Float(number).bitPattern) }
  }

  public mutating func append(_ numbers: [Float]) {
    words.reserveCapacity(words.count + numbers.count)
    for number in numbers { words.append(number.bitPattern) }
  }

  public mutating func append(_ more: KernelWords) { words += more.words }

  /// The words in little-endian order.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * words.count)
    for word in words {
      bytes.append(UInt8(truncatingIfNeeded: word))
      bytes.append(UInt8(truncatingIfNeeded: word >> 8))
      bytes.append(UInt8(truncatingIfNeeded: word >> 16))
      bytes.append(UInt8(truncatingIfNeeded: word >> 24))
    }
    return bytes
  }
}
