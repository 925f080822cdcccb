import FileStructure
import Testing

@testable import PhotoMetadata

/// The headroom of gain maps that older iPhones state in their MakerNotes.
@Suite struct AppleHeadroomTests {
  /// A MakerNote in Apple's format with the given tags, whose values are fractions.
  private static func note(_ values: [(tag: Int, top: Int32, bottom: Int32)]) -> [UInt8] {
    let big = ByteOrder.big
    var bytes = Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8)
    bytes += big.bytes(values.count, 2)
    let start = bytes.count + 12 * values.count + 4
    for (index, value) in values.enumerated() {
      bytes += big.bytes(value.tag, 2) + big.bytes(10, 2) + big.bytes(1, 4)
      bytes += big.bytes(start + 8 * index, 4)
    }
    bytes += [0, 0, 0, 0]
    for value in values {
      bytes += big.bytes(UInt64(UInt32(bitPattern: value.top)), 4)
      bytes += big.bytes(UInt64(UInt32(bitPattern: value.bottom)), 4)
    }
    return bytes
  }

  private static func headroom(_ note: [UInt8]) -> Double? {
    var exif = EXIF(order: .big)
    exif.set(EXIF.Entry(tag: 0x927C, type: .undefined, bytes: note), in: .photo)
    return exif.appleHeadroom
  }

  /// Each argument tests one of the four cases of Apple's formula; the first values come from a
  /// photo for which Apple's programs state a headroom of 3.197087.
  @Test(
    arguments: [
      (101, 2_066_699, 3.1971), (50, 5_000, 3.2490), (50, 1_000_000, 2.8285), (101, 0, 8.0),
    ] as [(Int32, Int32, Double)])
  func theHeadroomFollowsApplesFormula(_ first: Int32, _ second: Int32, _ wanted: Double) throws {
    let note = Self.note([(33, first, 100), (40, 7, 8), (48, second, 1_000_000)])
    let found = try #require(Self.headroom(note))
    #expect(abs(found - wanted) < 0.001, "\(found)")
  }

  @Test func damagedAppleMakerNotesGiveNoHeadroom() {
    let note = Self.note([(33, 101, 100), (48, 1, 2)])
    for length in 0..<note.count - 1 {
      #expect(Self.headroom(Array(note[..<length])) == nil, "\(length) bytes")
    }
    #expect(Self.headroom(Self.note([(33, 101, 100)])) == nil)
    #expect(Self.headroom(Self.note([(33, 101, 0), (48, 1, 2)])) == nil)
    #expect(Self.headroom(Array("Nikon\0".utf8) + note) == nil)
  }
}
