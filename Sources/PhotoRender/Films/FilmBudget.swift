import Glibc

/// Chooses the qualities with which a film is encoded to have at most a number of bytes.
struct FilmBudget {
  /// The maximum number of attempts after the first one.
  private static let tries = 4
  /// The change of quality that halves the bytes of a film, from measurements with H.264 and HEVC:
  /// six steps of the rate factor.
  private static let halving = 18.0
  /// The part of the limit that an attempt aims at.
  private static let aim = 0.93

  let limit: Int
  let lowest: Int
  /// The quality of the last attempt.
  private(set) var quality: Int
  private var tries = 0
  /// The quality and the size of the attempt before the last one.
  private var before: (quality: Int, size: Double)?

  init(limit: Int, lowest: Int, quality: Int) {
    (self.limit, self.lowest, self.quality) = (limit, lowest, quality)
  }

  /// The next quality to try, after a file with this size; nil if no further quality is tried.
  mutating func next(after size: Int) -> Int? {
    guard quality > lowest, tries < Self.tries else { return nil }
    tries += 1
    let (size, aim) = (Double(size), Self.aim * Double(limit))
    // The bytes of the picture, which follow the quality; the rest is sound and tables.
    var picture = size
    if let before, before.size > size {
      let share = 1 - exp2(Double(quality - before.quality) / Self.halving)
      picture = min(size, (before.size - size) / share - (before.size - size))
    }
    before = (quality, size)
    let room = aim - (size - picture)
    let step = room > 0 ? Self.halving * log2(picture / room) : .infinity
    // The last attempt shows whether the film can fit at all.
    let isLast = tries == Self.tries || step >= Double(quality - lowest)
    quality = isLast ? lowest : quality - max(1, Int(step.rounded(.up)))
    return quality
  }
}
