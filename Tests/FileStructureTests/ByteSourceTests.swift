import FileStructure
import Testing

/// Reads bytes and numbers at any offset of a file, also where the file ends too early.
@Suite struct ByteSourceTests {
  @Test func readingBeyondTheEndReturnsFewerBytesOrNil() {
    let source = ByteSource.bytes([1, 2, 3, 4])
    #expect(source.bytes(at: 2, 9) == [3, 4])
    #expect(source.bytes(at: 4, 1) == [])
    #expect(source.bytes(at: -1, 1) == [])
    #expect(source.whole(at: 2, 3) == nil)
    #expect(source.whole(at: 0, 4, limit: 3) == nil)
  }

  @Test func numbersAreReadInBothByteOrders() {
    let source = ByteSource.bytes([1, 2, 3, 4, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
    #expect(source.number(at: 0, 4, .big) == 0x0102_0304)
    #expect(source.number(at: 0, 4, .little) == 0x0403_0201)
    #expect(source.number(at: 10, 4, .big) == nil)
    #expect(source.number(at: 4, 8, .big) == nil, "larger than Int.max")
    #expect(ByteOrder.little.bytes(0x0102, 3) == [2, 1, 0])
  }

  @Test func bytesAreReadFromRangesOfAFileThatHaveGaps() {
    let source = ByteSource.parts([
      .init(offset: 0, bytes: [1, 2]), .init(offset: 100, bytes: [3, 4, 5]),
    ])
    #expect(source.count == 103)
    #expect(source.bytes(at: 1, 9) == [2])
    #expect(source.bytes(at: 101, 9) == [4, 5])
    #expect(source.bytes(at: 50, 9) == [])
    #expect(source.number(at: 101, 2, .big) == 0x0405)
    #expect(ByteSource.parts([]).count == 0)
  }

  @Test func aSequenceOfBytesIsFoundInAnother() {
    let bytes: [UInt8] = [1, 1, 2, 3]
    #expect(bytes.contains([1, 2]))
    #expect(bytes.contains([]))
    #expect(!bytes.contains([2, 1]))
    #expect(!bytes.contains([3, 4]))
  }
}
