import Foundation

/// The coverages of masks as defined in their documentation, in double precision.
///
/// No code is shared with the sources.
public enum MaskFormulas {
  public typealias Point = (x: Double, y: Double)
  /// The coverage of a mask at one pixel, 0…1.
  ///
  /// - Parameters:
  ///   - place: The pixel's centre in the frame, 0…1.
  ///   - size: The size of the frame, in any unit.
  public typealias Coverage = @Sendable (_ pixel: [Double], _ place: Point, _ size: Point) -> Double

  public static func smoothstep(_ x: Double) -> Double {
    let s = min(1, max(0, x))
    return s * s * (3 - 2 * s)
  }

  /// The vector between two positions, as fractions of the frame's shorter edge.
  private static func vector(_ a: Point, _ b: Point, _ size: Point) -> Point {
    let edge = min(size.x, size.y)
    return ((b.x - a.x) * size.x / edge, (b.y - a.y) * size.y / edge)
  }

  public static func linear(_ from: Point, _ to: Point) -> Coverage {
    { _, place, size in
      let (way, done) = (vector(from, to, size), vector(from, place, size))
      return smoothstep(
        (way.x * done.x + way.y * done.y) / (way.x * way.x + way.y * way.y))
    }
  }

  /// An ellipse, rotated clockwise in a picture whose y axis points down.
  public static func radial(
    _ centre: Point, _ width: Double, _ height: Double, angle: Double = 0, feather: Double = 0.5
  ) -> Coverage {
    { _, place, size in
      let way = vector(centre, place, size)
      let turn = angle * .pi / 180
      let along = (way.x * cos(turn) + way.y * sin(turn)) / width
      let across = (way.y * cos(turn) - way.x * sin(turn)) / height
      return smoothstep((1 - hypot(along, across)) / max(feather, 1e-4))
    }
  }

  public static func polygon(_ corners: [Point], feather: Double) -> Coverage {
    { _, place, size in
      var inside = false
      var nearest = Double.infinity
      for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
        if (a.y > place.y) != (b.y > place.y),
          place.x < (b.x - a.x) * (place.y - a.y) / (b.y - a.y) + a.x
        {
          inside.toggle()
        }
        let (way, from) = (vector(a, b, size), vector(a, place, size))
        let part = (way.x * from.x + way.y * from.y) / (way.x * way.x + way.y * way.y)
        let t = min(1, max(0, part))
        nearest = min(nearest, hypot(from.x - t * way.x, from.y - t * way.y))
      }
      let edge = max(feather, 1e-4)
      return smoothstep(0.5 + (inside ? nearest : -nearest) / (2 * edge))
    }
  }

  public static func luminance(_ low: Double, _ high: Double, feather: Double) -> Coverage {
    { pixel, _, _ in
      let lightness = min(1, max(0, lab(pixel)[0]))
      return smoothstep(1 - max(low - lightness, lightness - high, 0) / max(feather, 1e-4))
    }
  }

  public static func colour(_ centre: [Double], _ tolerance: Double, feather: Double) -> Coverage {
    { pixel, _, _ in
      let (a, b) = (lab(pixel), lab(centre))
      let beyond = max(0, hypot(a[1] - b[1], a[2] - b[2]) - tolerance)
      return smoothstep(1 - beyond / max(feather, 1e-4))
    }
  }

  public static func inverted(_ mask: @escaping Coverage, density: Double = 1) -> Coverage {
    { density * (1 - mask($0, $1, $2)) }
  }

  public static func combined(
    _ a: @escaping Coverage, _ b: @escaping Coverage,
    _ way: @escaping @Sendable (Double, Double) -> Double
  ) -> Coverage {
    { way(a($0, $1, $2), b($0, $1, $2)) }
  }

  /// OKLab of a display-encoded pixel.
  ///
  /// - Source: Björn Ottosson, "A perceptual color space for image processing", 2020.
  public static func lab(_ pixel: [Double]) -> [Double] {
    let lms = PointFormulas.times(
      [
        [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
        [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
        [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
      ], pixel.map(PointFormulas.light))
    return PointFormulas.times(
      [
        [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
        [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
        [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
      ], lms.map { cbrt($0) })
  }
}

extension MaskFormulas {
  /// A mask's coverage of the frame, convolved with a Gaussian; the values at the edges are
  /// repeated.
  public static func blurred(
    _ coverage: Coverage, _ width: Int, _ height: Int, sigma: Double
  ) -> [Double] {
    var plane = [Double](repeating: 0, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        plane[y * width + x] = coverage(
          [], ((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height)),
          (Double(width), Double(height)))
      }
    }
    let reach = Int((5 * sigma).rounded(.up))
    let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = weights.reduce(0, +)
    func pass(_ plane: [Double], _ stepX: Int, _ stepY: Int) -> [Double] {
      var result = plane
      for y in 0..<height {
        for x in 0..<width {
          var value = 0.0
          for (index, weight) in weights.enumerated() {
            let u = min(max(x + (index - reach) * stepX, 0), width - 1)
            let v = min(max(y + (index - reach) * stepY, 0), height - 1)
            value += weight * plane[v * width + u]
          }
          result[y * width + x] = value / sum
        }
      }
      return result
    }
    return pass(pass(plane, 1, 0), 0, 1)
  }
}
