import FileStructure
import Testing

/// The parsers of segments, chunks and boxes return all parts up to the first truncated one.
@Suite struct ContainerTests {
  @Test func theChunksOfAPNGFileEndWithIEND() {
    let header: [UInt8] = [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, 7, 0, 0, 0, 5]
    let first = PNGFile.signature + header + [8, 2, 0, 0, 0] + [0, 0, 0, 0]
    let end: [UInt8] = [0, 0, 0, 0] + Array("IEND".utf8) + [0, 0, 0, 0]
    let file = PNGFile(.bytes(first + end + end))
    #expect(file.chunks.map(\.name) == ["IHDR", "IEND"])
    #expect(file.chunks.last?.end == first.count + end.count)
    #expect(PNGFile(.bytes(first + end.dropLast())).chunks.map(\.name) == ["IHDR"])
    let size = PNGFile.size(of: .bytes(first))
    #expect(size?.width == 7 && size?.height == 5)
    #expect(PNGFile.size(of: .bytes(Array(first.prefix(23)))) == nil)
  }

  @Test func webPChunksOfOddLengthArePaddedToAnEvenLength() {
    let chunk = Array("ABCD".utf8) + [3, 0, 0, 0, 1, 2, 3]
    let bytes = Array("RIFF".utf8) + [35, 0, 0, 0] + Array("WEBP".utf8) + chunk + [0] + chunk
    let file = WebPFile(.bytes(bytes))
    #expect(file.chunks.map(\.offset) == [12, 24])
    #expect(file.announcedLength == 43)
    #expect(WebPFile.hasSignature(Array(bytes.prefix(12))))
    #expect(WebPFile(.bytes(Array(bytes.prefix(11)))).chunks.isEmpty)
  }

  @Test func aBoxOfLengthZeroExtendsToTheEndOfTheFile() {
    let bytes = Box.bytes("free", [1, 2]) + [0, 0, 0, 0] + Array("mdat".utf8) + [3]
    let boxes = Box.all(in: .bytes(bytes), 0..<bytes.count)
    #expect(boxes.map(\.name) == ["free", "mdat"])
    #expect(boxes.map(\.isOpen) == [false, true])
    #expect(boxes.last?.end == bytes.count)
    let cut = Array(Box.bytes("free", [1, 2]).dropLast())
    #expect(Box.all(in: .bytes(cut), 0..<cut.count).isEmpty)
  }
}

/// Finds the markers and segments of JPEG files.
@Suite struct JPEGFileTests {
  private static let scan: [UInt8] = [0xFF, 0xDA, 0, 2]
  private static let start: [UInt8] = [0xFF, 0xD8]
  private static let end: [UInt8] = [0xFF, 0xD9]

  @Test func theSegmentsOfAJPEGFileEndAtItsFirstScan() {
    let table: [UInt8] = [0xFF, 0xDB, 0, 3, 9]
    let file = JPEGFile(.bytes(Self.start + table + [0xFF] + table + Self.scan + table))
    #expect(file.segments.map(\.offset) == [2, 8], "a fill byte lies between the tables")
    #expect(file.payload(of: file.segments[0]) == [9])
    #expect(file.content(file.segments[0], after: [9]) == [])
    #expect(file.content(file.segments[0], after: [8]) == nil)
  }

  @Test func jpegScansMayContainEscapedBytesAndRestartMarkers() {
    let pixels: [UInt8] = [1, 0xFF, 0, 0xFF, 0xD0, 2, 0xFF, 0xFF, 0xD1]
    let file = Self.start + Self.scan + pixels + Self.scan + pixels
    let open = JPEGFile(.bytes(file)).scans()
    #expect(open.count == 2 && !open.hasEnd)
    let ended = JPEGFile(.bytes(file + Self.end + [0])).scans()
    #expect(ended.count == 2 && ended.hasEnd)
    #expect(JPEGFile(.bytes(file)).scans(upTo: 1).count == 1)
    var markers: [Int] = []
    JPEGFile(.bytes(file)).forEachMarker(from: 6) { marker, offset in
      markers.append(marker)
      return offset + 2
    }
    #expect(markers == [0xD0, 0xD1, 0xDA, 0xD0, 0xD1])
  }

  /// Markers are found across two reads, because the search reads 256 KiB at a time.
  @Test(arguments: -3...3) func jpegMarkersThatExtendOverTwoReadsAreFound(_ shift: Int) {
    let pixels = [UInt8](repeating: 7, count: 1 << 18 + shift)
    let file = Self.start + Self.scan + pixels + Self.scan + Self.end
    let found = JPEGFile(.bytes(file)).scans()
    #expect(found.count == 2 && found.hasEnd)
  }
}
