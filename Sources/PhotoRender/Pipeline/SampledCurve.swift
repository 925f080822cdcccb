import PhotoRecipes
import Synchronization

/// A function of one channel as samples at even steps of √x, denser where tones are dark, and a
/// straight line on either side.
struct SampledCurve: Sendable {
  /// √x at the last sample.
  private static let end = 2.0
  /// How far below the first sample, and above the last, the slopes are measured.
  private static let far = 0.25
  /// The slopes outside, then the samples.
  let samples: [Double]
  private let curves: [Curve]
  private let isOdd: Bool
  /// Whether the table stays within a level of 16 bits, outside the samples too.
  private(set) var isAccurate = false

  /// The samples of curves applied in turn; with `isOdd`, −f(−x) stands for what is below 0.
  ///
  /// Each is made once in a process: a recipe has the same curves for every photo.
  static func of(_ curves: [Curve], isOdd: Bool) -> SampledCurve {
    let key = Key(curves: curves, isOdd: isOdd)
    if let known = made.withLock({ $0[key] }) { return known }
    let curve = SampledCurve(curves, isOdd: isOdd)
    made.withLock { made in
      if made.count >= most { made = [:] }
      made[key] = curve
    }
    return curve
  }

  private struct Key: Hashable {
    let curves: [Curve]
    let isOdd: Bool
  }

  /// Of 64 KB each.
  private static let most = 64
  private static let made = Mutex<[Key: SampledCurve]>([:])

  private init(_ curves: [Curve], isOdd: Bool) {
    func value(_ x: Double) -> Double { curves.reduce(x) { $1($0) } }
    let count = Int(Self.end * 4096)
    let inside = (0...count).map { index -> Double in
      let t = Self.end * Double(index) / Double(count)
      return value(t * t)
    }
    let last = Self.end * Self.end
    let below = (value(0) - value(-Self.far)) / Self.far
    let above = (value(last + Self.far) - value(last)) / Self.far
    self.curves = curves
    self.isOdd = isOdd
    samples = ([below, above] + inside).map { $0.isFinite ? $0 : 0 }
    isAccurate = isClose()
  }

  func head(channels: Int) -> [Double] {
    [Self.end, Double(channels), Double(samples.count - 3), isOdd ? 1 : 0]
  }

  private func isClose() -> Bool {
    func isClose(_ found: Double, at x: Double) -> Bool {
      abs(found - curves.reduce(x) { $1($0) }) <= 1 / 65_535.0
    }
    let knots = samples.dropFirst(2)
    let step = Self.end / Double(knots.count - 1)
    let between = zip(knots, knots.dropFirst()).enumerated().allSatisfy { index, pair in
      let t = (Double(index) + 0.5) * step
      return isClose((pair.0 + pair.1) / 2, at: t * t)
    }
    guard between, let first = knots.first, let last = knots.last else { return false }
    return [0.001, 0.05, 1].allSatisfy { beyond in
      (isOdd || isClose(first - samples[0] * beyond, at: -beyond))
        && isClose(last + samples[1] * beyond, at: Self.end * Self.end + beyond)
    }
  }
}
