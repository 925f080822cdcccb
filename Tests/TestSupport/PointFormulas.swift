import Foundation

/// The formulas of the point filters as defined in their documentation, in double precision.
///
/// Each is a function of one display-encoded pixel. No code is shared with the sources.
public enum PointFormulas {
  public typealias Pixel = [Double]
  /// The result of a filter for one pixel.
  ///
  /// - Parameter place: The pixel's centre in the frame, 0…1.
  public typealias Formula = @Sendable (_ pixel: Pixel, _ place: (x: Double, y: Double)) -> Pixel

  public static func signed(_ x: Double, _ f: (Double) -> Double) -> Double {
    x < 0 ? -f(-x) : f(x)
  }

  public static func light(_ v: Double) -> Double {
    signed(v) { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
  }

  public static func display(_ v: Double) -> Double {
    signed(v) { $0 <= 0.0031308 ? 12.92 * $0 : 1.055 * pow($0, 1 / 2.4) - 0.055 }
  }

  public static func times(_ matrix: [[Double]], _ v: Pixel) -> Pixel {
    matrix.map { row in zip(row, v).map(*).reduce(0, +) }
  }

  public static func inLight(_ pixel: Pixel, _ body: (Pixel) -> Pixel) -> Pixel {
    body(pixel.map(light)).map(display)
  }

  public static func exposure(_ stops: Double) -> Formula {
    { p, _ in inLight(p) { $0.map { $0 * exp2(stops) } } }
  }

  public static func brightness(_ amount: Double) -> Formula { { p, _ in p.map { $0 + amount } } }

  /// The curve of the contrast filter: an S curve inside 0…1, and straight lines outside.
  public static func contrast(_ amount: Double) -> Formula {
    let k = amount > 0 ? 8 * amount : -5 * amount
    @Sendable func s(_ x: Double) -> Double { 0.5 + tanh(k * (x - 0.5) / 2) / (2 * tanh(k / 4)) }
    let slope = k / 4 / (pow(cosh(k / 4), 2) * tanh(k / 4))
    @Sendable func rising(_ x: Double) -> Double {
      x < 0 ? x * slope : x > 1 ? 1 + (x - 1) * slope : s(x)
    }
    @Sendable func falling(_ y: Double) -> Double {
      if y < 0 { return y / slope }
      if y > 1 { return 1 + (y - 1) / slope }
      var (low, high) = (0.0, 1.0)
      for _ in 0..<60 {
        let middle = (low + high) / 2
        if s(middle) < y { low = middle } else { high = middle }
      }
      return (low + high) / 2
    }
    return { p, _ in toned(p, amount < 0 ? falling : rising) }
  }

  /// A curve for the greatest and the least channel; the middle one keeps its place between them.
  private static func toned(_ p: Pixel, _ curve: (Double) -> Double) -> Pixel {
    guard let high = p.max(), let low = p.min(), high > low else { return p.map(curve) }
    return p.map { curve(low) + (curve(high) - curve(low)) * ($0 - low) / (high - low) }
  }

  public static func gamma(_ gamma: Double) -> Formula {
    { p, _ in p.map { signed($0) { pow($0, 1 / gamma) } } }
  }

  public static func levels(
    _ black: Double, _ white: Double, _ gamma: Double, _ outBlack: Double = 0,
    _ outWhite: Double = 1, channels: Set<Int> = [0, 1, 2]
  ) -> Formula {
    @Sendable func tone(_ x: Double) -> Double {
      let tone = signed((x - black) / (white - black)) { pow($0, 1 / gamma) }
      return outBlack > 0 ? max(0, tone) : tone
    }
    return { p, _ in
      let tones = p.map(tone)
      // With the hue of the colour if all channels are changed, else the channel alone.
      let limited =
        outWhite == 1
        ? tones
        : channels.count < 3
          ? tones.map { min(1, $0) }
          : inLight(tones) { light in light.map { $0 / max(1, light.max() ?? 1) } }
      return p.indices.map {
        channels.contains($0) ? outBlack + (outWhite - outBlack) * limited[$0] : p[$0]
      }
    }
  }

  public static func invert() -> Formula { { p, _ in p.map { 1 - $0 } } }

  public static func blackAndWhite(_ intensity: Double, _ weights: Pixel) -> Formula {
    { p, _ in
      inLight(p) { light in
        let weighted: [Double] = zip(weights, light).map { $0 * $1 }
        let grey = weighted.reduce(0, +) / weights.reduce(0, +)
        return light.map { $0 + intensity * (grey - $0) }
      }
    }
  }

  public static func sepia(_ intensity: Double) -> Formula {
    let full = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]
    return { p, _ in zip(p, times(full, p)).map { $0 + intensity * ($1 - $0) } }
  }

  /// OKLab of a display-encoded pixel, with the matrices that Ottosson published in 2020.
  public static func oklab(_ p: Pixel) -> Pixel {
    let c = p.map(light)
    let l = cbrt(0.4122214708 * c[0] + 0.5363325363 * c[1] + 0.0514459929 * c[2])
    let m = cbrt(0.2119034982 * c[0] + 0.6806995451 * c[1] + 0.1073969566 * c[2])
    let s = cbrt(0.0883024619 * c[0] + 0.2817188376 * c[1] + 0.6299787005 * c[2])
    return [
      0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    ]
  }

  public static func display(oklab c: Pixel) -> Pixel {
    let l = pow(c[0] + 0.3963377774 * c[1] + 0.2158037573 * c[2], 3)
    let m = pow(c[0] - 0.1055613458 * c[1] - 0.0638541728 * c[2], 3)
    let s = pow(c[0] - 0.0894841775 * c[1] - 1.2914855480 * c[2], 3)
    return [
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    ].map(display)
  }

  /// The growth of chroma that a filter applies when `growth` is requested.
  ///
  /// It decreases as the colour approaches the edge of the sRGB gamut.
  private static func held(_ lab: Pixel, _ growth: Double) -> Double {
    let channels = display(oklab: lab).map(light).sorted()
    let grey = pow(lab[0], 3)
    let up = (channels[2] - grey) / max(1 - grey, 0.0001)
    let down = (grey - channels[0]) / max(grey, 0.0001)
    let square = pow(min(1, max(0, up, down)), 2)
    return growth * (1 - square) / (1 + growth * square)
  }

  public static func saturation(_ amount: Double) -> Formula {
    { p, _ in
      let c = oklab(p)
      let factor = 1 + (amount > 0 ? held(c, amount) : amount)
      return display(oklab: [c[0], c[1] * factor, c[2] * factor])
    }
  }

  public static func vibrance(_ amount: Double) -> Formula {
    { p, _ in
      let c = oklab(p)
      let growth = amount * (1 - min(1, 4 * hypot(c[1], c[2])))
      let factor = 1 + (amount > 0 ? held(c, growth * (1 - 0.7 * skin(c))) : growth)
      return display(oklab: [c[0], c[1] * factor, c[2] * factor])
    }
  }

  /// The similarity of a colour to skin: 1 within 10° of the hue of skin in OKLab, 0 beyond 28°.
  private static func skin(_ lab: [Double]) -> Double {
    let (first, last) = (cos(28 * Double.pi / 180), cos(10 * Double.pi / 180))
    let apart = cos(atan2(lab[2], lab[1]) - 50 * .pi / 180)
    let t = min(1, max(0, (apart - first) / (last - first)))
    return t * t * (3 - 2 * t)
  }

  public static func hue(_ degrees: Double) -> Formula {
    { p, _ in
      let c = oklab(p)
      let (x, y) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
      return display(oklab: [c[0], c[1] * x - c[2] * y, c[1] * y + c[2] * x])
    }
  }

  public static func vignette(_ intensity: Double, radius: Double, falloff: Double) -> Formula {
    { p, place in
      let start = radius * (1 - falloff)
      let end = max(start + 0.0001, radius + (1 - radius) * falloff)
      let distance = hypot(place.x - 0.5, place.y - 0.5) / hypot(0.5, 0.5)
      let s = min(1, max(0, (distance - start) / (end - start)))
      return inLight(p) { $0.map { $0 * (1 + intensity * s * s * (3 - 2 * s)) } }
    }
  }

  /// A mixture of the input and the result of `formula`, weighted by the opacity.
  public static func faded(_ formula: @escaping Formula, _ opacity: Double) -> Formula {
    { p, place in zip(p, formula(p, place)).map { $0 + opacity * ($1 - $0) } }
  }

  public static func chain(_ formulas: [Formula]) -> Formula {
    { p, place in formulas.reduce(p) { $1($0, place) } }
  }
}
