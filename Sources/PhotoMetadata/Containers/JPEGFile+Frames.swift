extension JPEGFile {
  /// What a file says of its picture before the first scan: how it is coded, and its components.
  ///
  /// - Source: ITU-T T.81, B.2.2.
  package struct Frame {
    /// Blocks of 8 × 8 samples of a component that belong together, across and down.
    package struct Sampling: Sendable, Hashable {
      package let across: Int
      package let down: Int
    }

    package struct Component {
      package let number: Int
      package let sampling: Sampling
      /// The number of its table of steps.
      package let table: Int
    }

    private let marker: Int
    /// Bits a sample.
    package let precision: Int
    package let components: [Component]

    /// Whether it is of Huffman coding in one pass, but for how many scans it has.
    package var isSequential: Bool { [0xC0, 0xC1].contains(marker) }

    /// Nil where the bytes end before the last component.
    fileprivate init?(_ marker: Int, _ bytes: [UInt8]) {
      guard bytes.count >= 6, bytes.count >= 6 + 3 * Int(bytes[5]) else { return nil }
      self.marker = marker
      precision = Int(bytes[0])
      components = (0..<Int(bytes[5])).map { index in
        let part = bytes[(6 + 3 * index)...].prefix(3).map { Int($0) }
        return Component(
          number: part[0], sampling: Sampling(across: part[1] >> 4, down: part[1] & 15),
          table: part[2])
      }
    }
  }

  /// Frames, but for the markers between them that are something else.
  private static let frameMarkers = Set(0xC0...0xCF).subtracting([0xC4, 0xC8, 0xCC])

  /// A hierarchical file has several.
  package var frames: [Frame] {
    segments.filter { Self.frameMarkers.contains($0.marker) }.compactMap { segment in
      Frame(segment.marker, payload(of: segment))
    }
  }
}
