/// The blend modes in double precision, implemented from the text of the recommendation.
///
/// - Source: W3C, Compositing and Blending Level 1, sections 9.1, 9.2 and 10; `subtract` is the
///   difference, clamped at 0.
package enum BlendReference {
  package typealias Pixel = SIMD3<Double>

  /// Blends two pixels.
  ///
  /// `backdrop` and `source` are 0…1; modes are numbered as in `phbatch_program.h`.
  package static func blended(_ mode: Int, _ backdrop: Pixel, _ source: Pixel) -> Pixel {
    switch mode {
    case 14: setLum(setSat(source, sat(backdrop)), lum(backdrop))
    case 15: setLum(setSat(backdrop, sat(source)), lum(backdrop))
    case 16: setLum(source, lum(backdrop))
    case 17: setLum(backdrop, lum(source))
    default: Pixel((0..<3).map { separable(mode, backdrop[$0], source[$0]) })
    }
  }

  private static func separable(_ mode: Int, _ cb: Double, _ cs: Double) -> Double {
    switch mode {
    case 1: return cb * cs
    case 2: return cb + cs - cb * cs
    case 3: return separable(8, cs, cb)
    case 4: return min(cb, cs)
    case 5: return max(cb, cs)
    case 6:
      if cb == 0 { return 0 }
      return cs == 1 ? 1 : min(1, cb / (1 - cs))
    case 7:
      if cb == 1 { return 1 }
      return cs == 0 ? 0 : 1 - min(1, (1 - cb) / cs)
    case 8: return cs <= 0.5 ? separable(1, cb, 2 * cs) : separable(2, cb, 2 * cs - 1)
    case 9:
      if cs <= 0.5 { return cb - (1 - 2 * cs) * cb * (1 - cb) }
      let d = cb <= 0.25 ? ((16 * cb - 12) * cb + 4) * cb : cb.squareRoot()
      return cb + (2 * cs - 1) * (d - cb)
    case 10: return abs(cb - cs)
    case 11: return cb + cs - 2 * cb * cs
    case 12: return min(1, cs + cb)
    case 13: return max(0, cb - cs)
    default: return .nan
    }
  }

  private static func lum(_ c: Pixel) -> Double { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }

  private static func sat(_ c: Pixel) -> Double { c.max() - c.min() }

  private static func setLum(_ c: Pixel, _ l: Double) -> Pixel { clipColor(c + (l - lum(c))) }

  private static func clipColor(_ c: Pixel) -> Pixel {
    let (l, n, x) = (lum(c), c.min(), c.max())
    var c = c
    if n < 0 { c = l + (c - l) * l / (l - n) }
    if x > 1 { c = l + (c - l) * (1 - l) / (x - l) }
    return c
  }

  private static func setSat(_ c: Pixel, _ s: Double) -> Pixel {
    var c = c
    let order = [0, 1, 2].sorted { c[$0] < c[$1] }
    let (low, middle, high) = (order[0], order[1], order[2])
    if c[high] > c[low] {
      c[middle] = (c[middle] - c[low]) * s / (c[high] - c[low])
      c[high] = s
    } else {
      c[middle] = 0
      c[high] = 0
    }
    c[low] = 0
    return c
  }
}
