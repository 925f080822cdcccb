/// A projective map of the plane: 3 × 3 values, row by row, defined up to a common factor.
public struct Homography: Sendable, Hashable {
  public typealias Point = SIMD2<Double>

  public var rows: [SIMD3<Double>]

  public init(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) { rows = [a, b, c] }

  public static let identity = Homography([1, 0, 0], [0, 1, 0], [0, 0, 1])

  public static func translation(_ by: Point) -> Homography {
    Homography([1, 0, by.x], [0, 1, by.y], [0, 0, 1])
  }

  public static func scale(_ x: Double, _ y: Double) -> Homography {
    Homography([x, 0, 0], [0, y, 0], [0, 0, 1])
  }

  /// The map from the unit square to the quadrilateral with these corners: upper left, upper right,
  /// lower right, lower left.
  ///
  /// - Source: P. Heckbert, "Fundamentals of Texture Mapping and Image Warping" (1989), 2.2.3.
  public static func square(to corners: [Point]) -> Homography {
    let (p, q, r, s) = (corners[0], corners[1], corners[2], corners[3])
    let sum = p - q + r - s
    let (d, e) = (q - r, s - r)
    let area = d.x * e.y - e.x * d.y
    let g = (sum.x * e.y - e.x * sum.y) / area
    let h = (d.x * sum.y - sum.x * d.y) / area
    return Homography(
      [q.x - p.x + g * q.x, s.x - p.x + h * s.x, p.x],
      [q.y - p.y + g * q.y, s.y - p.y + h * s.y, p.y], [g, h, 1])
  }

  /// The matrix values, row by row.
  public var numbers: [Double] { rows.flatMap { [$0.x, $0.y, $0.z] } }

  /// The homogeneous coordinate of a mapped point; positive in front of the horizon.
  public func depth(at point: Point) -> Double { (rows[2] * SIMD3(point, 1)).sum() }

  public func callAsFunction(_ point: Point) -> Point {
    let place = SIMD3(point, 1)
    return Point((rows[0] * place).sum(), (rows[1] * place).sum()) / (rows[2] * place).sum()
  }

  /// True if the map only scales and shifts.
  var isUpright: Bool {
    rows[0].y == 0 && rows[1].x == 0 && rows[2].x == 0 && rows[2].y == 0 && rows[2].z == 1
  }

  /// The map that applies `first`, then this one.
  public func after(_ first: Homography) -> Homography {
    let (a, b, c) = (first.rows[0], first.rows[1], first.rows[2])
    let product = rows.map { $0.x * a + $0.y * b + $0.z * c }
    return Homography(product[0], product[1], product[2])
  }

  /// The inverse map.
  public var inverse: Homography {
    func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
    let (a, b, c) = (rows[0], rows[1], rows[2])
    let columns = [cross(b, c), cross(c, a), cross(a, b)]
    let size = (a * columns[0]).sum()
    func row(_ i: Int) -> SIMD3<Double> {
      SIMD3(columns[0][i], columns[1][i], columns[2][i]) / size
    }
    return Homography(row(0), row(1), row(2))
  }
}
