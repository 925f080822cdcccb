/// What stands between a JPEG file's head and its end.
///
/// - Source: ITU-T T.81, annex B.1.1 and B.2.1.
extension JPEGFile {
  /// What is cut off, in words: an end mark follows the last scan, whatever stands behind it.
  var missing: String? {
    // Most files end with it: there is no need to look further.
    if source.bytes(at: source.count - 2, 2) == [0xFF, UInt8(Marker.end)] { return nil }
    return scans().hasEnd ? nil : FileEnd.words
  }

  private static let window = 1 << 18

  /// Counts the scans, `limit` at most, and looks whether an end mark comes behind them; pixels hold no
  /// marks but restarts.
  func scans(upTo limit: Int = .max) -> (count: Int, hasEnd: Bool) {
    var start = segments.last.map { $0.offset + $0.length } ?? 2
    var bytes: [UInt8] = []
    var place = 0
    var count = 0
    while count < limit {
      if place + 3 >= bytes.count {
        start += place
        bytes = source.bytes(at: start, Self.window)
        place = 0
        if bytes.count < 2 { break }
      }
      guard bytes[place] == 0xFF else {
        place = bytes[place...].firstIndex(of: 0xFF) ?? bytes.count
        continue
      }
      guard place + 1 < bytes.count else { break }
      switch Int(bytes[place + 1]) {
      // These stand for a byte of the pixels, or are restarts.
      case 0x00, 0x01, 0xD0...0xD7: place += 2
      case 0xFF: place += 1
      case Marker.end: return (count, true)
      // Another file begins.
      case 0xD8: return (count, false)
      case let marker:
        // A segment, which may hold a picture of its own.
        guard let length = bytes.number(at: place + 2, 2, .big) else { return (count, false) }
        if marker == Marker.scan { count += 1 }
        place += 2 + length
      }
    }
    return (count, false)
  }
}

/// The passes in which a progressive JPEG tells its pixels.
public enum ProgressiveScans {
  /// Whether a file has more than `limit`.
  public static func exceed(_ limit: Int, in source: ByteSource) -> Bool {
    JPEGFile(source).scans(upTo: limit < .max ? limit + 1 : limit).count > limit
  }
}
