import FileStructure
import Testing

/// Reads the directories of TIFF and BigTIFF files in both byte orders.
@Suite struct TIFFFileTests {
  /// A file with one directory, which has a SHORT entry and a RATIONAL entry.
  private static func file(_ order: ByteOrder, isBig: Bool) -> [UInt8] {
    let width = isBig ? 8 : 4
    let mark: [UInt8] = order == .little ? [0x49, 0x49] : [0x4D, 0x4D]
    let head =
      isBig
      ? mark + order.bytes(43, 2) + order.bytes(8, 2) + [0, 0] + order.bytes(16, 8)
      : mark + order.bytes(42, 2) + order.bytes(8, 4)
    let directoryLength = isBig ? 8 + 2 * 20 + 8 : 2 + 2 * 12 + 4
    let short =
      order.bytes(0x0112, 2) + order.bytes(3, 2) + order.bytes(1, width)
      + order.bytes(6, 2) + [UInt8](repeating: 0, count: width - 2)
    let rational = order.bytes(72, 4) + order.bytes(1, 4)
    let second =
      order.bytes(0x011A, 2) + order.bytes(5, 2) + order.bytes(1, width)
      + (isBig ? rational : order.bytes(head.count + directoryLength, 4))
    let directory = order.bytes(2, isBig ? 8 : 2) + short + second + order.bytes(0, width)
    return head + directory + rational
  }

  @Test(arguments: [ByteOrder.little, .big], [false, true])
  func fieldsOfTIFFAndBigTIFFDirectoriesAreRead(_ order: ByteOrder, _ isBig: Bool) throws {
    let bytes = Self.file(order, isBig: isBig)
    let file = try #require(TIFFFile(.bytes(bytes)))
    #expect(file.order == order && file.isBig == isBig)
    #expect(file.fields(at: file.firstDirectory).map(\.tag) == [0x0112, 0x011A])
    #expect(try file.numbers(#require(file.field(0x0112)), limit: 8) == [6])
    #expect(
      try file.value(#require(file.field(0x011A))) == order.bytes(72, 4) + order.bytes(1, 4))
    #expect(file.field(0x010F) == nil)
    #expect(file.next(after: file.firstDirectory) == 0)
  }

  @Test func aTruncatedTIFFDirectoryHasFewerFields() throws {
    let bytes = Array(Self.file(.big, isBig: false).prefix(8 + 2 + 12 + 5))
    let file = try #require(TIFFFile(.bytes(bytes)))
    #expect(file.entryCount(at: file.firstDirectory) == 2)
    #expect(file.fields(at: file.firstDirectory).map(\.tag) == [0x0112])
  }

  @Test func filesWithoutAValidTIFFHeaderAreRejected() {
    #expect(TIFFHeader(.bytes(Array("II*".utf8))) == nil)
    #expect(TIFFHeader(.bytes([0x49, 0x49, 44, 0, 8, 0, 0, 0])) == nil)
    // The header can be read, but its directory offset is invalid.
    #expect(TIFFHeader(.bytes([0x49, 0x49, 42, 0, 1, 0, 0, 0])) != nil)
    #expect(TIFFFile(.bytes([0x49, 0x49, 42, 0, 1, 0, 0, 0])) == nil)
  }
}
