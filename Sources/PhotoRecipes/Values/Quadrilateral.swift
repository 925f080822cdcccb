import Glibc

/// The four corners of a convex shape, clockwise in a picture.
struct Quadrilateral: Sendable, Hashable {
  typealias Point = SIMD2<Double>

  var corners: [Point]

  /// Creates the outline of an image of `size`, transformed by a map.
  init(_ size: Size, through map: Homography) {
    let (width, height) = (Double(size.width), Double(size.height))
    corners = [Point(0, 0), Point(width, 0), Point(width, height), Point(0, height)].map { map($0) }
  }

  /// A rectangle with its sides parallel to the axes.
  struct Box: Sendable, Hashable {
    var centre: Point
    var width: Double
    var height: Double
  }

  var bounds: Box {
    let (xs, ys) = (corners.map(\.x), corners.map(\.y))
    let (left, right) = (xs.min() ?? 0, xs.max() ?? 0)
    let (top, bottom) = (ys.min() ?? 0, ys.max() ?? 0)
    return Box(
      centre: Point((left + right) / 2, (top + bottom) / 2), width: right - left,
      height: bottom - top)
  }

  /// The largest box inside the shape with a width of `ratio` times its height.
  ///
  /// This is a linear programme with three unknowns, the centre and the height: the box must be on
  /// the inner side of each edge, and the best box touches three edges. If several boxes are
  /// equally large, the result is their mean.
  func largestBox(ratio: Double) -> Box {
    let limits = corners.indices.map { i -> (row: SIMD3<Double>, bound: Double) in
      let edge = corners[(i + 1) % 4] - corners[i]
      let length = (edge * edge).sum().squareRoot()
      let outward = Point(edge.y, -edge.x) / length
      let reach = (abs(outward.x) * ratio + abs(outward.y)) / 2
      return (SIMD3(outward, reach), (outward * corners[i]).sum())
    }
    var best = 0.0
    var centres: [Point] = []
    let tolerance = 1e-9 * bounds.height
    for left in limits.indices {
      let three = limits.indices.filter { $0 != left }.map { limits[$0] }
      guard let meeting = Self.meeting(three) else { continue }
      let isInside = limits.allSatisfy { ($0.row * meeting).sum() <= $0.bound + tolerance }
      guard isInside, meeting.z > best - tolerance else { continue }
      if meeting.z > best + tolerance { centres = [] }
      best = max(best, meeting.z)
      centres.append(Point(meeting.x, meeting.y))
    }
    let middle = centres.reduce(Point(0, 0), +) / Double(max(1, centres.count))
    return Box(centre: middle, width: best * ratio, height: best)
  }

  /// The largest box of any aspect ratio inside the shape.
  ///
  /// The box is found by a search over the ratio's logarithm, because the largest area is a
  /// function of this logarithm with a single maximum.
  var largestBox: Box {
    var (low, high) = (-5.0, 5.0)
    func area(_ logarithm: Double) -> Double {
      let box = largestBox(ratio: exp(logarithm))
      return box.width * box.height
    }
    for _ in 0..<80 {
      let (a, b) = (low + (high - low) * 0.382, low + (high - low) * 0.618)
      if area(a) < area(b) { low = a } else { high = b }
    }
    return largestBox(ratio: exp((low + high) / 2))
  }

  /// The intersection of three planes, by Cramer's rule; nil if there is no single point.
  private static func meeting(_ planes: [(row: SIMD3<Double>, bound: Double)]) -> SIMD3<Double>? {
    let rows = planes.map(\.row)
    let matrix = Homography(rows[0], rows[1], rows[2])
    let inverse = matrix.inverse
    guard inverse.numbers.allSatisfy(\.isFinite) else { return nil }
    let bounds = SIMD3(planes[0].bound, planes[1].bound, planes[2].bound)
    return SIMD3(
      (inverse.rows[0] * bounds).sum(), (inverse.rows[1] * bounds).sum(),
      (inverse.rows[2] * bounds).sum())
  }
}
