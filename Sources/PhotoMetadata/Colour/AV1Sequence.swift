import FileStructure

/// The sequence header of an AV1 stream, which states the range of the samples.
///
/// - Source: AV1 Bitstream & Decoding Process Specification, 2019, 5.3 (open bitstream units), 5.5
///   (sequence header).
struct AV1Sequence {
  /// True if the picture is grey.
  private(set) var isMonochrome = false
  /// The code of the matrix in ITU-T H.273; 2 if the stream states none.
  private(set) var matrix = 2
  /// True if samples have 8 bits.
  private(set) var isEightBit = true
  /// True if samples use all values; false for the limited range, 16…235 in 8 bits.
  private(set) var isFullRange = false

  private var bits: Bits

  /// Reads the first sequence header in a series of open bitstream units; nil if there is none, or
  /// if it has features that no still picture uses.
  init?(_ units: [UInt8]) {
    guard let header = Self.header(units) else { return nil }
    bits = Bits(bytes: header)
    guard readOperation(), !bits.isExhausted else { return nil }
    readColours()
    if bits.isExhausted { return nil }
  }

  private static let sequenceHeader = 1

  private static func header(_ units: [UInt8]) -> [UInt8]? {
    var offset = 0
    while offset < units.count {
      let head = units[offset]
      // The unit's header must state the unit's length; it may have an extension byte.
      guard head & 0x82 == 0x02 else { return nil }
      offset += head & 4 == 0 ? 1 : 2
      var (length, shift) = (0, 0)
      while offset < units.count, shift < 28 {
        let byte = units[offset]
        length |= Int(byte & 0x7F) << shift
        offset += 1
        shift += 7
        if byte & 0x80 == 0 { break }
      }
      if Int(head >> 3 & 15) == sequenceHeader, offset <= units.count {
        return Array(units[offset...].prefix(length))
      }
      offset += length
    }
    return nil
  }

  private var profile = 0

  /// Reads the fields before the colours; returns false for features that no still picture uses.
  private mutating func readOperation() -> Bool {
    profile = bits.number(3)
    _ = bits.flag()
    let isReduced = bits.flag()
    if isReduced {
      _ = bits.number(5)
    } else if !readOperatingPoints() {
      return false
    }
    let (width, height) = (bits.number(4) + 1, bits.number(4) + 1)
    _ = (bits.number(width), bits.number(height))
    // Skips the lengths of frame numbers.
    if !isReduced, bits.flag() { _ = bits.number(7) }
    // Skips the flags of 128-pixel blocks and of two filters.
    _ = bits.number(3)
    if !isReduced { skipPrediction() }
    // Skips the flags of superresolution and of two filters.
    _ = bits.number(3)
    return true
  }

  /// Reads the operating points; returns false if there is timing information.
  private mutating func readOperatingPoints() -> Bool {
    if bits.flag() { return false }
    let hasDelay = bits.flag()
    for _ in 0...bits.number(5) {
      _ = bits.number(12)
      if bits.number(5) > 7 { _ = bits.flag() }
      if hasDelay, bits.flag() { _ = bits.number(4) }
    }
    return true
  }

  private mutating func skipPrediction() {
    _ = bits.number(4)
    let hasOrder = bits.flag()
    if hasOrder { _ = bits.number(2) }
    let mayBeScreen = bits.flag() || bits.flag()
    if mayBeScreen, !bits.flag() { _ = bits.flag() }
    if hasOrder { _ = bits.number(3) }
  }

  private mutating func readColours() {
    let isDeep = bits.flag()
    isEightBit = !isDeep
    if profile == 2 && isDeep { _ = bits.flag() }
    if profile != 1 { isMonochrome = bits.flag() }
    var points = [2, 2, 2]
    if bits.flag() { points = (0..<3).map { _ in bits.number(8) } }
    matrix = points[2]
    // sRGB with the identity matrix always has the full range, and thus no flag.
    isFullRange = points == [1, 13, 0] && !isMonochrome || bits.flag()
  }
}

/// Reads integers bit by bit, from each byte's highest bit on; returns 0 after the end.
private struct Bits {
  let bytes: [UInt8]
  private(set) var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isExhausted: Bool { position > 8 * bytes.count }

  mutating func flag() -> Bool { number(1) == 1 }

  mutating func number(_ count: Int) -> Int {
    defer { position += count }
    return (position..<(position + count)).reduce(0) { number, place in
      let bit = place < 8 * bytes.count ? bytes[place / 8] >> (7 - place % 8) & 1 : 0
      return number << 1 | Int(bit)
    }
  }
}

extension HEIFFile {
  /// The sequence header of an AV1 picture, or of the first tile of a grid; nil if it cannot be
  /// read.
  func sequence(of item: Int) -> AV1Sequence? {
    let coded = references(from: item, "dimg").first ?? item
    guard let box = properties(of: coded).first(where: { $0.name == "av1C" }) else { return nil }
    // The box begins with four bytes of configuration, which precede the units.
    let units = source.bytes(
      at: box.content.lowerBound + 4, min(Self.headLength, box.content.count - 4))
    return AV1Sequence(units) ?? AV1Sequence(start(of: coded))
  }

  private static let headLength = 256

  /// The first bytes of an item; empty if the item is not in the file itself.
  private func start(of item: Int) -> [UInt8] {
    guard let location = locations.first(where: { $0.item == item }), location.method == 0,
      let extent = location.extents.first
    else { return [] }
    return source.bytes(at: extent.offset, Self.headLength)
  }
}
