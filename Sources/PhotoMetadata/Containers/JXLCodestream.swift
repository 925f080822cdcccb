public import FileStructure

/// The header of a JPEG XL codestream, up to its extra channels.
///
/// - Source: ISO/IEC 18181-1:2024, annexes D.2 (size), D.3 (image metadata), D.3.6 (extra
///   channels).
struct JXLCodestream {
  /// True if colours are premultiplied by alpha.
  private(set) var isPremultiplied = false
  /// The channels other than the colours, in the file's order.
  private(set) var extraChannels: [ExtraChannel] = []

  private(set) var isAnimated = false
  /// True if colours are floating-point samples.
  private(set) var isFloat = false
  /// The number of bits of a colour sample.
  private(set) var sampleBits = 8

  private var bits: BitReader

  /// Reads the header; nil if the bytes are not a codestream, or end within its header.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: JXLFile.codestream) else { return nil }
    bits = BitReader(Array(bytes.dropFirst(2)))
    readSize()
    readMetadata()
    if bits.isExhausted { return nil }
  }

  private mutating func readSize() {
    let isSmall = bits.flag()
    skipEdge(isSmall)
    if bits.number(3) == 0 { skipEdge(isSmall) }
  }

  private mutating func skipEdge(_ isSmall: Bool) {
    if isSmall {
      _ = bits.number(5)
    } else {
      _ = bits.number([.bits(9), .bits(13), .bits(18), .bits(30)])
    }
  }

  private mutating func readMetadata() {
    if bits.flag() { return }
    if bits.flag() {
      // Skips the orientation.
      _ = bits.number(3)
      if bits.flag() { readSize() }
      if bits.flag() { skipPreview() }
      isAnimated = bits.flag()
      if isAnimated { skipAnimation() }
    }
    (isFloat, sampleBits) = readDepth()
    _ = bits.flag()
    let count = bits.number([.value(0), .value(1), .bits(4, plus: 2), .bits(12, plus: 1)])
    for _ in 0..<count where !bits.isExhausted { readExtraChannel() }
  }

  private mutating func skipPreview() {
    let isDivided = bits.flag()
    let edges: [BitReader.Choice] =
      isDivided
      ? [.value(16), .value(32), .bits(5), .bits(9)] : [.bits(6), .bits(8), .bits(10), .bits(12)]
    _ = bits.number(edges)
    if bits.number(3) == 0 { _ = bits.number(edges) }
  }

  private mutating func skipAnimation() {
    _ = bits.number([.value(100), .value(1_000), .bits(10), .bits(30)])
    _ = bits.number([.value(1), .value(1_001), .bits(8), .bits(10)])
    _ = bits.number([.value(0), .bits(3), .bits(16), .bits(32)])
    _ = bits.flag()
  }

  /// Reads the depth of samples.
  private mutating func readDepth() -> (isFloat: Bool, bits: Int) {
    let isFloat = bits.flag()
    let depth = bits.number(
      isFloat
        ? [.value(32), .value(16), .value(24), .bits(6, plus: 1)]
        : [.value(8), .value(10), .value(12), .bits(6, plus: 1)])
    if isFloat { _ = bits.number(4) }
    return (isFloat, depth)
  }

  private mutating func readExtraChannel() {
    // A set flag means the default, an 8-bit alpha channel that is not premultiplied.
    if bits.flag() { return extraChannels.append(.alpha) }
    let kind = bits.number([.value(0), .value(1), .bits(4, plus: 2), .bits(6, plus: 18)])
    let channel = ExtraChannel(kind)
    extraChannels.append(channel)
    _ = readDepth()
    _ = bits.number([.value(0), .value(3), .value(4), .bits(3)])
    let length = bits.number([.value(0), .bits(4), .bits(5, plus: 16), .bits(10, plus: 48)])
    for _ in 0..<length where !bits.isExhausted { _ = bits.number(8) }
    switch channel {
    case .alpha: if bits.flag() { isPremultiplied = true }
    case .spotColour: for _ in 0..<4 { _ = bits.number(16) }
    case .filterArray:
      _ = bits.number([.value(1), .bits(2), .bits(4, plus: 3), .bits(8, plus: 19)])
    default: break
    }
  }
}

/// Reads integers bit by bit, from each byte's lowest bit on; returns 0 after the end.
private struct BitReader {
  /// One of four encodings of an integer; a two-bit selector chooses the encoding.
  enum Choice {
    case value(Int)
    case bits(Int, plus: Int = 0)
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isExhausted: Bool { position > 8 * bytes.count }

  mutating func flag() -> Bool { number(1) == 1 }

  mutating func number(_ count: Int) -> Int {
    var number = 0
    for bit in 0..<count {
      let place = position + bit
      guard place < 8 * bytes.count else { break }
      number |= Int(bytes[place / 8] >> (place % 8) & 1) << bit
    }
    position += count
    return number
  }

  mutating func number(_ choices: [Choice]) -> Int {
    switch choices[number(2)] {
    case .value(let value): value
    case .bits(let count, let least): number(count) + least
    }
  }
}

extension JXLFile {
  /// The number of bytes of the codestream that are read for its header.
  private static let headLength = 4_096

  var codestreamHead: JXLCodestream? {
    if isBare { return JXLCodestream(source.bytes(at: 0, Self.headLength)) }
    guard let box = boxes.first(where: { $0.name == "jxlc" || $0.name == "jxlp" }) else {
      return nil
    }
    // A part (`jxlp`) begins with its four-byte index.
    let start = box.content.lowerBound + (box.name == "jxlp" ? 4 : 0)
    return JXLCodestream(source.bytes(at: start, min(Self.headLength, box.end - start)))
  }
}

/// A channel of a JPEG XL picture other than red, green and blue, or grey.
///
/// - Source: ISO/IEC 18181-1:2024, D.3.6.
public enum ExtraChannel: String, Sendable, Hashable {
  case alpha, depth
  case spotColour = "spot colour"
  case selection = "selection mask"
  case black
  case filterArray = "colour filter array"
  case thermal
  case other = "unknown meaning"

  init(_ number: Int) {
    switch number {
    case 0: self = .alpha
    case 1: self = .depth
    case 2: self = .spotColour
    case 3: self = .selection
    case 4: self = .black
    case 5: self = .filterArray
    case 6: self = .thermal
    default: self = .other
    }
  }

  /// The extra channels of a JPEG XL file, in the file's order; empty for other formats.
  public static func all(in source: ByteSource) -> [ExtraChannel] {
    JXLFile(source)?.codestreamHead?.extraChannels ?? []
  }
}

/// The samples of JPEG XL files.
public enum JXLSamples {
  /// The number of bits of a colour sample, as the file states it; nil for other formats.
  public static func bits(in source: ByteSource) -> Int? {
    JXLFile(source)?.codestreamHead?.sampleBits
  }

  /// True for a JPEG XL file of floating-point samples, which libvips 8.14 takes for linear light.
  public static func areFloats(in source: ByteSource) -> Bool {
    JXLFile(source)?.codestreamHead?.isFloat ?? false
  }
}
