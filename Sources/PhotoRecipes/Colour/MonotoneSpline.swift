/// A cubic spline through given points that rises and falls only where the points do.
///
/// Before the first and after the last point the spline is constant, with two exceptions: it
/// continues as a straight line below a first point at 0, and above a last point at 1 or beyond.
/// - Source: F. N. Fritsch, R. E. Carlson, "Monotone Piecewise Cubic Interpolation", SIAM J. Numer.
///   Anal. 17 (1980), with the slopes of F. N. Fritsch and J. Butland (1984).
public struct MonotoneSpline: Sendable, Hashable {
  public let points: [CurvePoints.Point]
  private let slopes: [Double]

  /// - Parameter points: At least two points, with strictly increasing x.
  public init(_ points: [CurvePoints.Point]) {
    self.points = points
    slopes = Self.slopes(of: points)
  }

  public func callAsFunction(_ x: Double) -> Double {
    let last = points.count - 1
    if x <= points[0].x { return end(points[0], points[0].x == 0 ? slopes[0] : 0, x) }
    if x >= points[last].x {
      return end(points[last], points[last].x >= 1 ? slopes[last] : 0, x)
    }
    let index = points.lastIndex { $0.x <= x } ?? 0
    let (a, b) = (points[index], points[index + 1])
    let width = b.x - a.x
    let t = (x - a.x) / width
    let (t2, t3) = (t * t, t * t * t)
    return (2 * t3 - 3 * t2 + 1) * a.y + (t3 - 2 * t2 + t) * width * slopes[index]
      + (3 * t2 - 2 * t3) * b.y + (t3 - t2) * width * slopes[index + 1]
  }

  private func end(_ point: CurvePoints.Point, _ slope: Double, _ x: Double) -> Double {
    point.y + slope * (x - point.x)
  }

  private static func slopes(of points: [CurvePoints.Point]) -> [Double] {
    let widths = zip(points, points.dropFirst()).map { $1.x - $0.x }
    let secants = zip(points, points.dropFirst()).map { ($1.y - $0.y) / ($1.x - $0.x) }
    if secants.count == 1 { return [secants[0], secants[0]] }
    var slopes = [endSlope(widths[0], widths[1], secants[0], secants[1])]
    for i in 1..<secants.count {
      let (before, after) = (secants[i - 1], secants[i])
      if before * after <= 0 {
        slopes.append(0)
      } else {
        let (w1, w2) = (2 * widths[i] + widths[i - 1], widths[i] + 2 * widths[i - 1])
        slopes.append((w1 + w2) / (w1 / before + w2 / after))
      }
    }
    let n = secants.count
    slopes.append(endSlope(widths[n - 1], widths[n - 2], secants[n - 1], secants[n - 2]))
    return slopes
  }

  /// The slope at an end of the spline by the three-point formula.
  ///
  /// If this slope and the first secant differ in sign, the result is 0. If the signs of the first
  /// and the second secant differ, the result is at most three times as steep as the first secant.
  private static func endSlope(_ h0: Double, _ h1: Double, _ s0: Double, _ s1: Double) -> Double {
    let slope = ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1)
    if slope * s0 <= 0 { return 0 }
    return s0 * s1 < 0 && abs(slope) > 3 * abs(s0) ? 3 * s0 : slope
  }
}

extension MonotoneSpline: CustomStringConvertible {
  public var description: String {
    "spline " + points.map { "(\($0.x.short), \($0.y.short))" }.joined(separator: " ")
  }
}
