import Foundation

/// The coverages of masks in double precision, computed by other methods than in the kernel.
package enum CoverReference {
  package static func smoothstep(_ x: Double) -> Double {
    let s = x > 0 ? min(x, 1) : 0
    return s * s * (3 - 2 * s)
  }

  /// Transforms the position (x, y) of a pixel to (u, v) with the six factors `m`.
  package static func plane(_ m: [Double], _ x: Int, _ y: Int) -> SIMD2<Double> {
    SIMD2(
      m[0] + m[1] * Double(x) + m[2] * Double(y), m[3] + m[4] * Double(x) + m[5] * Double(y))
  }

  package static func polygon(
    _ corners: [SIMD2<Double>], feather: Double, at p: SIMD2<Double>
  ) -> Double {
    let edges = zip(corners, corners.dropFirst() + corners.prefix(1))
    let nearest = edges.map { distance(p, $0, $1) }.min() ?? .infinity
    let signed = isInside(p, corners) ? nearest : -nearest
    return smoothstep((signed + feather) / (2 * feather))
  }

  /// True if the winding number, computed from the sum of the edges' angles, is odd.
  package static func isInside(_ p: SIMD2<Double>, _ corners: [SIMD2<Double>]) -> Bool {
    let edges = zip(corners, corners.dropFirst() + corners.prefix(1))
    let angles = edges.map { a, b in
      let (u, v) = (a - p, b - p)
      return atan2(u.x * v.y - u.y * v.x, (u * v).sum())
    }
    let turns = (angles.reduce(0, +) / (2 * .pi)).rounded()
    return Int(turns) % 2 != 0
  }

  /// The distance of a point from a line segment; the nearest point of the segment may be its
  /// start, its end, or a point between.
  package static func distance(
    _ p: SIMD2<Double>, _ a: SIMD2<Double>, _ b: SIMD2<Double>
  ) -> Double {
    let (way, from) = (b - a, p - a)
    let along = (way * from).sum()
    let length = (way * way).sum()
    if along <= 0 { return hypot(from.x, from.y) }
    if along >= length { return hypot(p.x - b.x, p.y - b.y) }
    return abs(way.x * from.y - way.y * from.x) / length.squareRoot()
  }

  /// The value of a map's first band at (u, v), which is the mean of the map's pixels, each
  /// weighted by a tent function around its centre.
  package static func map(_ map: Raster, at p: SIMD2<Double>) -> Double {
    func tent(_ centre: Int, _ count: Int, _ place: Double) -> Double {
      let x = min(max(place * Double(count) - 0.5, 0), Double(count - 1))
      return max(0, 1 - abs(x - Double(centre)))
    }
    var sum = 0.0
    for y in 0..<map.height {
      let weight = tent(y, map.height, p.y)
      if weight == 0 { continue }
      for x in 0..<map.width { sum += weight * tent(x, map.width, p.x) * map.value(x, y, 0) }
    }
    return min(max(sum, 0), 1)
  }
}
