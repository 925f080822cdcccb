import PhotoRecipes
import Synchronization

/// A function of one channel as samples, and a straight line on either side.
struct SampledCurve: Sendable {
  /// The spacing of the samples.
  enum Spacing: CaseIterable {
    /// At even steps of x.
    case even
    /// At even steps of √x, denser where tones are dark; below 0 the steps are those of −√−x.
    case root

    /// The x at a place among so many steps.
    fileprivate func place(_ position: Double, of count: Int) -> Double {
      let part = position / Double(count)
      let t = SampledCurve.start + (SampledCurve.end - SampledCurve.start) * part
      return self == .even ? t : t * t.magnitude
    }
  }

  /// The steps between samples that are tried, small numbers first; black and white are at one of
  /// each.
  private static let counts = [384, 1536, 6144, 12_288]
  /// x or √x at the first sample, less than 0, and at the last.
  private static let (start, end) = (-1.0, 2.0)
  /// The distance below the first sample, and above the last, over which the slopes are measured.
  private static let far = 0.25

  let spacing: Spacing
  private let curves: [Curve]
  private let precision: Precision
  private let samples: [Double]
  private let slopes: (below: Double, above: Double)

  /// The smallest table of curves applied in turn that is as close to them as the precision
  /// requires; nil if none is.
  ///
  /// Tables are made once in a process: a recipe has the same curves for every photo.
  static func smallest(_ curves: [Curve], _ precision: Precision) -> SampledCurve? {
    let key = Key(curves: curves, precision: precision)
    if let known = made.withLock({ $0[key] }) { return known }
    let tables = counts.lazy.flatMap { count in
      Spacing.allCases.lazy.map { SampledCurve(curves, precision, $0, count: count) }
    }
    let smallest = tables.first { $0.isClose }
    made.withLock { made in
      if made.count >= most { made = [:] }
      made[key] = .some(smallest)
    }
    return smallest
  }

  /// The largest table, whether it is accurate or not.
  static func finest(_ curves: [Curve], _ precision: Precision) -> SampledCurve {
    SampledCurve(curves, precision, .root, count: counts.last ?? 1)
  }

  private struct Key: Hashable {
    let curves: [Curve]
    let precision: Precision
  }

  /// The most curves that are kept, of at most 100 KB each.
  private static let most = 64
  private static let made = Mutex<[Key: SampledCurve?]>([:])

  private init(_ curves: [Curve], _ precision: Precision, _ spacing: Spacing, count: Int) {
    func value(_ x: Double) -> Double {
      let y = curves.reduce(x) { $1($0) }
      return y.isFinite ? y : 0
    }
    let (first, last) = (spacing.place(0, of: count), spacing.place(Double(count), of: count))
    self.curves = curves
    self.precision = precision
    self.spacing = spacing
    samples = (0...count).map { value(spacing.place(Double($0), of: count)) }
    slopes = (
      (value(first) - value(first - Self.far)) / Self.far,
      (value(last + Self.far) - value(last)) / Self.far
    )
  }

  /// The payload of a curve but for its planes.
  var words: [Double] {
    let count = Double(samples.count - 1)
    return [spacing == .root ? 1 : 0, Self.start, Self.end, count, slopes.below, slopes.above]
      + samples
  }

  /// True if the table is as close to the curves as the precision requires.
  private var isClose: Bool {
    let count = samples.count - 1
    let allowed = precision.allowed(for: curves)
    func exact(_ x: Double) -> Double { curves.reduce(x) { $1($0) } }
    let between = (0..<count).allSatisfy { index in
      let wanted = exact(spacing.place(Double(index) + 0.5, of: count))
      return abs((samples[index] + samples[index + 1]) / 2 - wanted) <= allowed(wanted)
    }
    guard between, let bottom = samples.first, let top = samples.last else { return false }
    let (first, last) = (spacing.place(0, of: count), spacing.place(Double(count), of: count))
    return [0.001, 0.05, 1].allSatisfy { beyond in
      let (below, above) = (exact(first - beyond), exact(last + beyond))
      return abs(bottom - slopes.below * beyond - below)
        <= precision.allowed(below, from: bottom, beyond)
        && abs(top + slopes.above * beyond - above) <= precision.allowed(above, from: top, beyond)
    }
  }
}

extension SampledCurve {
  /// The largest difference allowed between a table and its curve.
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
    /// Values that may be light must be closer near black, where encoding is steep.
    fileprivate func allowed(for curves: [Curve]) -> (Double) -> Double {
      if self == .fine { return { _ in Self.level } }
      let isEncoded = curves.last { $0 == .encode || $0 == .decode } == .encode
      if isEncoded { return { _ in Self.tenth } }
      return { value in Self.tenth * min(1, max(abs(value), 1 / 12.92)) }
    }

    /// The error allowed for a value at a distance `beyond` the last sample, whose value is `end`.
    fileprivate func allowed(_ value: Double, from end: Double, _ beyond: Double) -> Double {
      switch self {
      case .fine: Self.level
      case .display: Self.tenth + max(beyond, abs(value - end)) / 8
      }
    }
  }
}
