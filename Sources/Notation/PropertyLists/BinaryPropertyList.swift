/// A reader for binary property lists that is safe for arbitrary bytes.
///
/// Foundation's reader crashes on some damaged lists (Swift 6.3 on Linux), so it is not used for
/// sidecars.
/// - Source: CoreFoundation, CFBinaryPList.c, the description of the format at its head.
package struct BinaryPropertyList {
  static let depthLimit = 64
  /// The maximum number of values; a value that is referenced several times is counted each time.
  static let countLimit = 100_000
  /// The maximum number of bytes of data and texts; a value that is referenced several times is
  /// counted each time.
  static let bytesLimit = 4 << 20

  private let bytes: [UInt8]
  private let offsets: Int
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private var read = 0
  private var copied = 0

  package static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist00".utf8) }

  package static func parse(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyList {
    guard begins(bytes) else { throw .notPropertyList }
    // The trailer: 6 unused bytes, two sizes, the count of objects, the root's index and the
    // table's offset.
    let trailer = bytes.count - 32
    guard trailer >= 8 else { throw .truncated }
    func number(_ index: Int) throws(PropertyListError) -> Int {
      let place = trailer + 8 + 8 * index
      let value = bytes[place..<place + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard let number = Int(exactly: value) else { throw .badReference }
      return number
    }
    let (count, root, table) = (try number(0), try number(1), try number(2))
    let sizes = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard (1...8).contains(sizes.0), (1...8).contains(sizes.1), count > 0, table >= 8,
      table <= trailer, count <= (trailer - table) / sizes.0
    else { throw .badReference }
    var reader = BinaryPropertyList(
      bytes: bytes, offsets: table, offsetSize: sizes.0, referenceSize: sizes.1, count: count)
    return try reader.value(root, depth: 0)
  }

  private init(
    bytes: [UInt8], offsets: Int, offsetSize: Int, referenceSize: Int, count: Int
  ) {
    self.bytes = bytes
    self.offsets = offsets
    self.offsetSize = offsetSize
    self.referenceSize = referenceSize
    self.count = count
  }

  private mutating func value(
    _ object: Int, depth: Int
  ) throws(PropertyListError) -> PropertyList {
    guard depth < Self.depthLimit else { throw .tooDeep(limit: Self.depthLimit) }
    read += 1
    guard read <= Self.countLimit else { throw .tooLarge(limit: Self.countLimit) }
    guard (0..<count).contains(object) else { throw .badReference }
    let place = try unsigned(at: offsets + object * offsetSize, size: offsetSize)
    guard let start = Int(exactly: place), (8..<offsets).contains(start) else {
      throw .badReference
    }
    let marker = bytes[start]
    switch Int(marker) {
    case 0x08: return .bool(false)
    case 0x09: return .bool(true)
    case 0x10...0x13: return .integer(try integer(at: start + 1, size: 1 << Int(marker & 15)))
    // An integer of 16 bytes; only the lower eight are used.
    case 0x14: return .integer(try integer(at: start + 9, size: 8))
    case 0x22:
      let bits = try unsigned(at: start + 1, size: 4)
      return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
    case 0x23: return .real(Double(bitPattern: try unsigned(at: start + 1, size: 8)))
    case 0x33:
      let seconds = Double(bitPattern: try unsigned(at: start + 1, size: 8))
      return .date("\(seconds) s since 2001-01-01T00:00:00Z")
    case 0x40...0x4F:
      let (length, start) = try length(at: start)
      return .data(Array(try part(start, length)))
    case 0x50...0x5F, 0x70...0x7F:
      let (length, start) = try length(at: start)
      return .string(try Self.text(String(decoding: try part(start, length), as: UTF8.self)))
    case 0x60...0x6F:
      let (length, start) = try length(at: start)
      guard length <= bytes.count / 2 else { throw .truncated }
      let units = Array(try part(start, 2 * length))
      let text = String(
        decoding: stride(from: 0, to: units.count, by: 2).map {
          UInt16(units[$0]) << 8 | UInt16(units[$0 + 1])
        }, as: UTF16.self)
      return .string(try Self.text(text))
    case 0x80...0x8F:
      return .identifier(try integer(at: start + 1, size: Int(marker & 15) + 1))
    case 0xA0...0xAF, 0xC0...0xCF:
      let (length, start) = try length(at: start)
      var values: [PropertyList] = []
      for index in 0..<(try room(start, length)) {
        values.append(try value(try reference(at: start, index), depth: depth + 1))
      }
      return .array(values)
    case 0xD0...0xDF: return try dictionary(at: start, depth)
    default: throw .unknown("marker 0x" + String(marker, radix: 16))
    }
  }

  /// Returns the text; throws if it has too many combining marks.
  private static func text(_ text: String) throws(PropertyListError) -> String {
    guard !text.hasTooManyMarks else { throw .tooManyMarks(limit: String.markLimit) }
    return text
  }

  private mutating func dictionary(
    at place: Int, _ depth: Int
  ) throws(PropertyListError) -> PropertyList {
    let (length, start) = try length(at: place)
    let pairs = try room(start, length)
    _ = try room(start + pairs * referenceSize, pairs)
    var members: [String: PropertyList] = [:]
    for index in 0..<pairs {
      guard case .string(let key) = try value(try reference(at: start, index), depth: depth + 1)
      else { throw .badValue("a key that is not a string") }
      let member = try value(try reference(at: start, pairs + index), depth: depth + 1)
      guard members.updateValue(member, forKey: key) == nil else { throw .duplicateKey(key) }
    }
    return .dictionary(members)
  }

  /// The length in the lower half of a marker, or in the integer after it, and the offset of the
  /// content.
  private func length(at start: Int) throws(PropertyListError) -> (length: Int, start: Int) {
    let short = Int(bytes[start] & 15)
    guard short == 15 else { return (short, start + 1) }
    guard start + 1 < offsets, bytes[start + 1] >> 4 == 1, bytes[start + 1] & 15 <= 3 else {
      throw .badReference
    }
    let size = 1 << Int(bytes[start + 1] & 15)
    guard let length = Int(exactly: try unsigned(at: start + 2, size: size)) else {
      throw .truncated
    }
    return (length, start + 2 + size)
  }

  /// Returns `length`, the number of references at `start`; throws if they do not all end before
  /// the offset table.
  private func room(_ start: Int, _ length: Int) throws(PropertyListError) -> Int {
    guard start <= offsets, length <= (offsets - start) / referenceSize else { throw .truncated }
    return length
  }

  private func reference(at start: Int, _ index: Int) throws(PropertyListError) -> Int {
    let number = try unsigned(at: start + index * referenceSize, size: referenceSize)
    guard let reference = Int(exactly: number) else { throw .badReference }
    return reference
  }

  private mutating func part(
    _ start: Int, _ length: Int
  ) throws(PropertyListError) -> ArraySlice<UInt8> {
    guard start <= offsets, length <= offsets - start else { throw .truncated }
    copied += length
    guard copied <= Self.bytesLimit else { throw .tooLong(limit: Self.bytesLimit) }
    return bytes[start..<start + length]
  }

  /// Reads an integer: unsigned if it has one, two or four bytes, signed if it has eight.
  private func integer(at start: Int, size: Int) throws(PropertyListError) -> Int64 {
    Int64(bitPattern: try unsigned(at: start, size: size))
  }

  private func unsigned(at start: Int, size: Int) throws(PropertyListError) -> UInt64 {
    guard start + size <= bytes.count - 32 else { throw .truncated }
    return bytes[start..<start + size].suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
