import PhotoRecipes
import Synchronization

/// A function of one channel, as samples and a straight line beyond each end.
struct SampledCurve: Sendable {
  /// The spacing of the samples.
  enum Spacing: CaseIterable {
    /// Even steps of x.
    case even
    /// Even steps of √x, which are denser in dark tones; below 0 even steps of −√−x.
    case root

    /// The x at a position among `count` steps between the first and the last sample.
    fileprivate func place(_ position: Double, of count: Int) -> Double {
      let part = position / Double(count)
      let t = SampledCurve.start + (SampledCurve.end - SampledCurve.start) * part
      return self == .even ? t : t * t.magnitude
    }
  }

  /// The numbers of steps that are tried, smallest first.
  ///
  /// With each of these numbers, one sample is exactly at black and one exactly at white.
  private static let counts = [384, 1536, 6144, 12_288]
  /// The values of x or √x at the first sample, which is below 0, and at the last.
  private static let (start, end) = (-1.0, 2.0)
  /// The distance from the first and from the last sample over which the slopes of the straight
  /// lines are measured.
  private static let far = 0.25

  let spacing: Spacing
  private let curves: [Curve]
  private let precision: Precision
  private let samples: [Double]
  private let slopes: (below: Double, above: Double)

  /// The smallest table for a sequence of curves that is as accurate as the precision requires; nil
  /// if there is none.
  ///
  /// Tables are created only once in a process, because a recipe has the same curves for every
  /// photo.
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

  /// The largest table, even if it is not accurate enough.
  static func finest(_ curves: [Curve], _ precision: Precision) -> SampledCurve {
    SampledCurve(curves, precision, .root, count: counts.last ?? 1)
  }

  private struct Key: Hashable {
    let curves: [Curve]
    let precision: Precision
  }

  /// The maximum number of cached tables, of at most 100 KB each.
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
    samples = curves.values(count: count + 1) { spacing.place(Double($0), of: count) }
      .map { $0.isFinite ? $0 : 0 }
    slopes = (
      (value(first) - value(first - Self.far)) / Self.far,
      (value(last + Self.far) - value(last)) / Self.far
    )
  }

  /// The payload of the `curve` instruction, without the set of channels.
  var words: [Double] {
    let count = Double(samples.count - 1)
    return [spacing == .root ? 1 : 0, Self.start, Self.end, count, slopes.below, slopes.above]
      + samples
  }

  /// True if the table is as accurate as the precision requires.
  private var isClose: Bool {
    let count = samples.count - 1
    let allowed = precision.allowed(for: curves)
    func exact(_ x: Double) -> Double { curves.reduce(x) { $1($0) } }
    let middles = curves.values(count: count) { spacing.place(Double($0) + 0.5, of: count) }
    let between = middles.indices.allSatisfy { index in
      let wanted = middles[index]
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
  /// The maximum difference allowed between a table and its curve.
  enum Precision: Sendable, Hashable {
    /// One 16-bit level for all values.
    case fine
    /// A tenth of an 8-bit level for values that can be displayed.
    ///
    /// For values outside the table, the error may grow by an eighth of their distance from the
    /// table.
    case display

    private static let level = 1.0 / 65_535
    private static let tenth = 0.1 / 255

    /// Returns the maximum error allowed for each value of the curves.
    ///
    /// Values that may be linear light must be more accurate near black, where the encoding curve
    /// is steep.
    fileprivate func allowed(for curves: [Curve]) -> (Double) -> Double {
      if self == .fine { return { _ in Self.level } }
      let isEncoded = curves.last { $0 == .encode || $0 == .decode } == .encode
      if isEncoded { return { _ in Self.tenth } }
      return { value in Self.tenth * min(1, max(abs(value), 1 / 12.92)) }
    }

    /// The maximum error allowed for `value`, the curve's value outside the table.
    ///
    /// `beyond` is the distance in x from the nearest end of the table; `end` is the value there.
    fileprivate func allowed(_ value: Double, from end: Double, _ beyond: Double) -> Double {
      switch self {
      case .fine: Self.level
      case .display: Self.tenth + max(beyond, abs(value - end)) / 8
      }
    }
  }
}
