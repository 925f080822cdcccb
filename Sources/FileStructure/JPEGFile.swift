/// The segments of a JPEG file up to its first scan.
///
/// - Source: ITU-T T.81, annex B.
package struct JPEGFile {
  package struct Segment {
    package let marker: Int
    /// The offset of the marker's first byte.
    package let offset: Int
    /// The length in bytes, including the marker.
    package let length: Int

    package var payload: Int { offset + 4 }
    package var payloadLength: Int { length - 4 }
    package var end: Int { offset + length }
  }

  package enum Marker {
    package static let start = 0xD8
    package static let end = 0xD9
    package static let scan = 0xDA
    package static let quantization = 0xDB
    package static let app0 = 0xE0
    package static let app1 = 0xE1
    package static let app2 = 0xE2
    package static let app11 = 0xEB
    package static let app13 = 0xED
    package static let app14 = 0xEE
    package static let comment = 0xFE
  }

  package let source: ByteSource
  package let segments: [Segment]

  /// The maximum number of segments that are read, because a damaged file may contain millions of
  /// empty segments.
  private static let mostSegments = 10_000

  package init(_ source: ByteSource) {
    self.source = source
    var segments: [Segment] = []
    var offset = 2
    while segments.count < Self.mostSegments {
      let head = source.bytes(at: offset, 4)
      guard head.count == 4, head[0] == 0xFF else { break }
      let marker = Int(head[1])
      if marker == 0xFF {
        offset += 1
        continue
      }
      if marker == Marker.scan || marker == Marker.end { break }
      if marker == 0x01 || (0xD0...Marker.start).contains(marker) {
        offset += 2
        continue
      }
      guard let length = head.number(at: 2, 2, .big), length >= 2 else { break }
      segments.append(Segment(marker: marker, offset: offset, length: length + 2))
      offset += length + 2
    }
    self.segments = segments
  }

  /// True if a file begins with a start marker.
  package static func hasSignature(_ source: ByteSource) -> Bool {
    source.bytes(at: 0, 2) == [0xFF, UInt8(Marker.start)]
  }

  /// The bytes of a segment after its length field.
  package func payload(of segment: Segment) -> [UInt8] {
    source.bytes(at: segment.payload, segment.payloadLength)
  }

  /// The bytes of a segment that follow `signature`; nil if the segment does not begin with the
  /// signature.
  package func content(_ segment: Segment, after signature: [UInt8]) -> [UInt8]? {
    guard segment.payloadLength >= signature.count,
      source.bytes(at: segment.payload, signature.count) == signature
    else { return nil }
    let length = segment.payloadLength - signature.count
    return source.whole(at: segment.payload + signature.count, length)
  }
}

extension JPEGFile {
  /// The header of a picture: its coding and its components.
  ///
  /// - Source: ITU-T T.81, B.2.2.
  package struct Frame {
    /// The sampling factors of one component: its number of 8 × 8 blocks in a minimum coded unit
    /// (MCU), horizontally and vertically.
    package struct Sampling: Sendable, Hashable {
      package let across: Int
      package let down: Int
    }

    package struct Component {
      package let number: Int
      package let sampling: Sampling
      /// The index of the component's quantization table.
      package let table: Int
    }

    private let marker: Int
    /// The number of bits per sample.
    package let precision: Int
    package let components: [Component]
    /// The number of samples in a row.
    package let width: Int
    /// The number of rows.
    package let height: Int

    /// The number of pixels.
    package var pixels: Int { width * height }

    /// True if the picture is coded sequentially, not progressively, and with Huffman codes.
    package var isSequential: Bool { [0xC0, 0xC1].contains(marker) }

    /// True if the picture is coded without losses, with Huffman codes.
    package var isLossless: Bool { marker == 0xC3 }

    /// Reads the header; nil if the bytes end before the last component.
    fileprivate init?(_ marker: Int, _ bytes: [UInt8]) {
      guard bytes.count >= 6, bytes.count >= 6 + 3 * Int(bytes[5]) else { return nil }
      self.marker = marker
      precision = Int(bytes[0])
      height = Int(bytes[1]) << 8 | Int(bytes[2])
      width = Int(bytes[3]) << 8 | Int(bytes[4])
      components = (0..<Int(bytes[5])).map { index in
        let part = bytes[(6 + 3 * index)...].prefix(3).map { Int($0) }
        return Component(
          number: part[0], sampling: Sampling(across: part[1] >> 4, down: part[1] & 15),
          table: part[2])
      }
    }
  }

  /// The markers of frames; 0xC4, 0xC8 and 0xCC between them have other meanings.
  private static let frameMarkers = Set(0xC0...0xCF).subtracting([0xC4, 0xC8, 0xCC])

  /// The frames; a hierarchical file has several.
  package var frames: [Frame] {
    segments.filter { Self.frameMarkers.contains($0.marker) }.compactMap { segment in
      Frame(segment.marker, payload(of: segment))
    }
  }
}

extension JPEGFile {
  private static let window = 1 << 18

  /// Calls `next` with each marker and the marker's offset, beginning at the offset `start`.
  ///
  /// `next` returns the offset at which to continue, or nil to stop. Fill bytes (0xFF) are skipped,
  /// and so is 0xFF 0x00, which encodes a byte 0xFF of the pixels.
  package func forEachMarker(from start: Int, _ next: (_ marker: Int, _ offset: Int) -> Int?) {
    var start = start
    var bytes: [UInt8] = []
    var place = 0
    while true {
      if place + 1 >= bytes.count {
        start += place
        bytes = source.bytes(at: start, Self.window)
        place = 0
        if bytes.count < 2 { return }
      }
      guard bytes[place] == 0xFF else {
        place = bytes[place...].firstIndex(of: 0xFF) ?? bytes.count
        continue
      }
      guard place + 1 < bytes.count else { continue }
      switch bytes[place + 1] {
      case 0x00: place += 2
      case 0xFF: place += 1
      case let marker:
        guard let offset = next(Int(marker), start + place) else { return }
        place = offset - start
      }
    }
  }

  /// Counts the scans and reports whether an end marker follows them.
  ///
  /// Stops at `limit` scans; `hasEnd` is then false.
  ///
  /// - Source: ITU-T T.81, annex B.1.1 and B.2.1.
  package func scans(upTo limit: Int = .max) -> (count: Int, hasEnd: Bool) {
    var (count, hasEnd) = (0, false)
    forEachMarker(from: segments.last?.end ?? 2) { marker, offset in
      switch marker {
      case 0x01, 0xD0...0xD7: return offset + 2
      case Marker.end:
        hasEnd = true
        return nil
      // A start marker begins another picture, so this picture ends without an end marker.
      case Marker.start: return nil
      default:
        // Segments are skipped by their length, because their content may contain another picture's
        // markers.
        guard let length = source.number(at: offset + 2, 2, .big) else { return nil }
        if marker == Marker.scan { count += 1 }
        return count < limit ? offset + 2 + length : nil
      }
    }
    return (count, hasEnd)
  }
}
