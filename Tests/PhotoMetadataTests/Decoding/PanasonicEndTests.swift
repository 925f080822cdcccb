import FileStructure
import PhotoMetadata
import TestSupport
import Testing

/// RW2 files that end before their samples do.
@Suite struct PanasonicEndTests {
  /// A file whose directory has short integers, and one list of stripes after it.
  private static func head(_ tags: [(UInt16, Int)], list: [(UInt16, [Int])] = []) -> [UInt8] {
    func little(_ number: Int, _ count: Int) -> [UInt8] { ByteOrder.little.bytes(number, count) }
    let count = tags.count + list.count
    var place = 8 + 2 + 12 * count + 4
    var tail: [UInt8] = []
    var entries = tags.map { tag, value in
      (tag, little(Int(tag), 2) + little(4, 2) + little(1, 4) + little(value, 4))
    }
    for (tag, numbers) in list {
      let bytes = little(numbers.count, 2) + numbers.flatMap { little($0, 4) }
      let padded = bytes + [UInt8](repeating: 0, count: 50 - bytes.count)
      entries.append((tag, little(Int(tag), 2) + little(7, 2) + little(50, 4) + little(place, 4)))
      tail += padded
      place += 50
    }
    return Array("II".utf8) + little(0x55, 2) + little(8, 4) + little(count, 2)
      + entries.sorted { $0.0 < $1.0 }.flatMap(\.1) + little(0, 4) + tail
  }

  private static func isCut(_ file: [UInt8]) -> Bool {
    FileEnd.missingSamples(in: .bytes(file)) != nil
  }

  /// The coding, the bits of a sample, the width, and the bytes of the samples of 90 rows.
  @Test(arguments: [
    (4, 12, 140, 16_384), (4, 12, 280, 32_768), (5, 12, 130, 32_768), (5, 14, 90, 16_384),
    (6, 14, 110, 14_400), (6, 12, 140, 14_400), (7, 14, 90, 14_400), (7, 12, 90, 12_960),
  ])
  func theLengthFollowsFromTheCoding(_ coding: Int, _ bits: Int, _ width: Int, _ length: Int) {
    let start = 4_096
    let head = Self.head([(2, width), (3, 90), (10, bits), (45, coding), (280, start)])
    let file = head + [UInt8](repeating: 0, count: start - head.count + length)
    #expect(!Self.isCut(file) && !Self.isCut(file + [1, 2, 3]))
    for count in [1, 16, 5_000, length] { #expect(Self.isCut(file.dropLast(count)), "\(count)") }
  }

  @Test func theLengthsOfStripesAreUsed() {
    let head = Self.head(
      [(2, 600), (3, 90), (10, 16), (45, 8), (66, 2), (280, 1_000)],
      list: [(68, [1_000, 3_000]), (70, [16_000, 8_001])])
    let file = head + [UInt8](repeating: 0, count: 3_000 + 1_001 - head.count)
    #expect(!Self.isCut(file))
    #expect(Self.isCut(file.dropLast()) && Self.isCut(file.dropLast(1_500)))
  }

  /// A file is not refused because of a coding or a width that is not known.
  @Test(arguments: [(3, 140), (9, 140), (4, 141), (4, 0), (6, 4_000_000)])
  func otherCodingsAreLeftToTheDecoder(_ coding: Int, _ width: Int) {
    let file = Self.head([(2, width), (3, 90), (10, 14), (45, coding), (280, 200)])
    #expect(!Self.isCut(file + [UInt8](repeating: 0, count: 400)))
  }
}
