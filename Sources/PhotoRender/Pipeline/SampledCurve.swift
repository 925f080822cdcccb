import PhotoRecipes
import Synchronization

/// A function of one channel as samples at even steps of √x, denser where tones are dark, and a
/// straight line on either side; below 0 the steps are those of −√−x.
struct SampledCurve: Sendable {
  /// The steps between samples that are tried, small numbers first; √x = 0 is one of each.
  static let counts = [384, 1536, 6144, 12_288]
  /// √x at the first sample, less than 0, and at the last.
  private static let (start, end) = (-1.0, 2.0)
  /// How far below the first sample, and above the last, the slopes are measured.
  private static let far = 0.25
  private static let first = start * start.magnitude
  private static let last = end * end

  /// The slopes outside, then the samples.
  let samples: [Double]
  private let curves: [Curve]
  private let precision: Precision
  /// Whether the table is as close to the curves as the precision asks for.
  private(set) var isAccurate = false

  /// The samples of curves applied in turn, at `count` steps.
  ///
  /// Each is made once in a process: a recipe has the same curves for every photo.
  static func of(_ curves: [Curve], count: Int, _ precision: Precision) -> SampledCurve {
    let key = Key(curves: curves, count: count, precision: precision)
    if let known = made.withLock({ $0[key] }) { return known }
    let curve = SampledCurve(curves, count: count, precision)
    made.withLock { made in
      if made.count >= most { made = [:] }
      made[key] = curve
    }
    return curve
  }

  private struct Key: Hashable {
    let curves: [Curve]
    let count: Int
    let precision: Precision
  }

  /// Of 100 KB each at most.
  private static let most = 64
  private static let made = Mutex<[Key: SampledCurve]>([:])

  private init(_ curves: [Curve], count: Int, _ precision: Precision) {
    func value(_ x: Double) -> Double { curves.reduce(x) { $1($0) } }
    let inside = (0...count).map { value(Self.place(Double($0), of: count)) }
    let below = (value(Self.first) - value(Self.first - Self.far)) / Self.far
    let above = (value(Self.last + Self.far) - value(Self.last)) / Self.far
    self.curves = curves
    self.precision = precision
    samples = ([below, above] + inside).map { $0.isFinite ? $0 : 0 }
    isAccurate = isClose(count)
  }

  /// What comes before the samples of 1 or 3 channels.
  static func head(channels: Int, count: Int) -> [Double] {
    [start, end, Double(channels), Double(count)]
  }

  /// x at a place among the samples.
  private static func place(_ position: Double, of count: Int) -> Double {
    let t = start + (end - start) * position / Double(count)
    return t * t.magnitude
  }

  private func isClose(_ count: Int) -> Bool {
    let allowed = precision.allowed(for: curves)
    func exact(_ x: Double) -> Double { curves.reduce(x) { $1($0) } }
    let between = (0..<count).allSatisfy { index in
      let wanted = exact(Self.place(Double(index) + 0.5, of: count))
      return abs((samples[index + 2] + samples[index + 3]) / 2 - wanted) <= allowed(wanted)
    }
    guard between, let top = samples.last else { return false }
    return [0.001, 0.05, 1].allSatisfy { beyond in
      let (below, above) = (exact(Self.first - beyond), exact(Self.last + beyond))
      return abs(samples[2] - samples[0] * beyond - below)
        <= precision.allowed(below, from: samples[2], beyond)
        && abs(top + samples[1] * beyond - above) <= precision.allowed(above, from: top, beyond)
    }
  }
}

extension SampledCurve {
  /// How far a table may be from its curve.
  enum Precision: Sendable, Hashable {
    /// A level of 16 bits, everywhere.
    case fine
    /// A tenth of a level of 8 bits for values to be shown; an eighth of the way where values are
    /// more than twice as bright, or as dark, as can be shown.
    case display

    private static let level = 1.0 / 65_535
    private static let tenth = 0.1 / 255

    /// The error allowed at a value of curves.
    ///
    /// What might be light is told apart better near black, as encoding is steep there.
    fileprivate func allowed(for curves: [Curve]) -> (Double) -> Double {
      if self == .fine { return { _ in Self.level } }
      let isEncoded = curves.last { $0 == .encode || $0 == .decode } == .encode
      if isEncoded { return { _ in Self.tenth } }
      return { value in Self.tenth * min(1, max(abs(value), 1 / 12.92)) }
    }

    /// The error allowed for a value that lies `beyond` the samples, of which `end` is the value.
    fileprivate func allowed(_ value: Double, from end: Double, _ beyond: Double) -> Double {
      switch self {
      case .fine: Self.level
      case .display: Self.tenth + max(beyond, abs(value - end)) / 8
      }
    }
  }
}
