import FileStructure

/// The way in which a timecode track counts frames.
///
/// A sample of the track states the number of the frame with which it begins, also in films whose
/// displayed timecodes skip numbers ("drop frame").
///
/// - Source: Apple, "QuickTime File Format", 2001, "Timecode Media".
struct MovieTimecode {
  /// The bytes of a sample.
  static let sampleBytes = 4

  /// The frames of a second, as a fraction.
  private let (scale, duration): (Int, Int)
  /// The frames after which the timecode begins again at 0; nil if it does not.
  private let day: Int?

  /// Reads a `stsd` box; nil if it does not describe a timecode.
  init?(_ description: [UInt8]) {
    guard description.count > 48, description[20..<24].elementsEqual("tmcd".utf8) else {
      return nil
    }
    let flags = description.number(36, 4)
    (scale, duration) = (description.number(40, 4), description.number(44, 4))
    guard scale > 0, duration > 0 else { return nil }
    let (dropsNumbers, endsAfterDay) = (flags & 1 != 0, flags & 2 != 0)
    let rate = Int(description[48])
    // Two numbers of 30 are skipped in each minute but every tenth.
    let skipped = dropsNumbers ? 18 * (rate / 30) : 0
    let whole = (rate * 600 - skipped) * 144
    day = endsAfterDay && whole > 0 ? whole : nil
  }

  /// The sample for a moment that is a number of seconds after the start of another sample; nil if
  /// no film is that long.
  func sample(_ sample: [UInt8], after seconds: Double) -> [UInt8]? {
    // Tracks round times, by less than a tenth of a frame.
    let frames = (seconds * Double(scale) / Double(duration) + 0.1).rounded(.down)
    guard sample.count == Self.sampleBytes, frames >= 0, frames < 0x1p31 else { return nil }
    let number = sample.number(0, 4) + Int(frames)
    return ByteOrder.big.bytes((day.map { number % $0 } ?? number) & 0xFFFF_FFFF, 4)
  }
}
