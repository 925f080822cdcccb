import Glibc

/// A function of one channel, exact in double precision and defined for every real value.
///
/// Values are not clipped between filters, so each curve is also defined below 0 and above 1; the
/// cases describe how.
public enum Curve: Sendable, Hashable {
  /// `slope × x + offset`.
  case linear(slope: Double, offset: Double)
  /// `x^exponent`, odd-symmetric about 0.
  case power(Double)
  /// The logistic S through (0,0), (½,½), (1,1) with steepness `k`; straight outside 0…1. With −k
  /// instead of k, it is the inverse curve.
  case sigmoid(Double)
  /// `x / √(1 − a x² / 2)` for 0 ≤ a ≤ 1, which maps 1 to `1 / √(1 − a/2)`; for −1 ≤ a < 0, the
  /// inverse of the curve for −a. Both are the identity for x < 0. Above x = 1 the curve is a
  /// straight line, and so is the inverse where its result is above 1.
  case stretch(Double)
  case spline(MonotoneSpline)
  /// Converts display-encoded sRGB to linear light, odd-symmetric about 0. Source: IEC
  /// 61966-2-1:1999.
  case decode
  /// Converts linear light to display-encoded sRGB: the inverse of `decode`.
  case encode
  case cubeRoot
  case cube
  /// `max(0, x)`: replaces negative values by 0, for example before a curve that is odd-symmetric
  /// about 0.
  case nonNegative
  /// ICC parametric curve type 4: `(ax+b)^g + e` for x ≥ d, `cx + f` for x < d; odd-symmetric about
  /// 0. Source: ICC.1:2022, 10.18.
  case parametric(g: Double, a: Double, b: Double, c: Double, d: Double, e: Double, f: Double)
  /// Samples at even steps over 0…1, joined by straight lines. The first and the last line continue
  /// outside 0…1.
  case sampled([Double])
  /// The inverse of a sampled curve whose samples rise.
  case inverseSampled([Double])
  /// A logarithmic encoding of `white × x`.
  case log(LogCurve, white: Double)
  /// The inverse of `log`.
  case antilog(LogCurve, white: Double)

  public func callAsFunction(_ x: Double) -> Double {
    switch self {
    case .linear(let slope, let offset): slope * x + offset
    case .power(let exponent): Self.odd(x) { pow($0, exponent) }
    case .sigmoid(let k): Self.sigmoid(x, k)
    case .stretch(let amount): Self.stretch(x, amount)
    case .spline(let spline): spline(x)
    case .decode: Self.odd(x) { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    case .encode:
      Self.odd(x) { $0 <= 0.0031308 ? $0 * 12.92 : 1.055 * pow($0, 1 / 2.4) - 0.055 }
    case .cubeRoot: cbrt(x)
    case .cube: x * x * x
    case .nonNegative: max(0, x)
    case .parametric(let g, let a, let b, let c, let d, let e, let f):
      Self.odd(x) { $0 >= d ? pow(max(0, a * $0 + b), g) + e : c * $0 + f }
    case .sampled(let samples): Self.interpolate(samples, at: x)
    case .inverseSampled(let samples): Self.invert(samples, at: x)
    case .log(let curve, let white): curve(white * x)
    case .antilog(let curve, let white): curve.light(x) / white
    }
  }

  /// The inverse of this curve; nil if no inverse is implemented.
  public var inverse: Curve? {
    switch self {
    case .linear(let slope, let offset):
      slope == 0 ? nil : .linear(slope: 1 / slope, offset: -offset / slope)
    case .power(let exponent): exponent == 0 ? nil : .power(1 / exponent)
    case .sigmoid(let k): .sigmoid(-k)
    case .stretch(let amount): .stretch(-amount)
    case .decode: .encode
    case .encode: .decode
    case .cubeRoot: .cube
    case .cube: .cubeRoot
    case .parametric(let g, let a, let b, let c, let d, let e, let f):
      Self.inverseParametric(g, a, b, c, d, e, f)
    case .sampled(let samples): .inverseSampled(samples)
    case .inverseSampled(let samples): .sampled(samples)
    case .log(let curve, let white): .antilog(curve, white: white)
    case .antilog(let curve, let white): .log(curve, white: white)
    case .spline, .nonNegative: nil
    }
  }

  private static func odd(_ x: Double, _ f: (Double) -> Double) -> Double {
    x < 0 ? -f(-x) : f(x)
  }

  private static func sigmoid(_ x: Double, _ k: Double) -> Double {
    let half = tanh(abs(k) / 4)
    func rising(_ x: Double) -> Double { tanh(abs(k) * (x - 0.5) / 2) / (2 * half) + 0.5 }
    let endSlope = abs(k) / 4 * (1 - half * half) / half
    if k > 0 {
      if x < 0 { return x * endSlope }
      return x > 1 ? 1 + (x - 1) * endSlope : rising(x)
    }
    if x < 0 { return x / endSlope }
    return x > 1 ? 1 + (x - 1) / endSlope : atanh((x - 0.5) * 2 * half) * 2 / abs(k) + 0.5
  }

  private static func stretch(_ x: Double, _ amount: Double) -> Double {
    if x <= 0 { return x }
    let bend = abs(amount) / 2
    let end = 1 / (1 - bend).squareRoot()
    let endSlope = end / (1 - bend)
    if amount < 0 {
      return x > end ? 1 + (x - end) / endSlope : x / (1 + bend * x * x).squareRoot()
    }
    return x > 1 ? end + (x - 1) * endSlope : x / (1 - bend * x * x).squareRoot()
  }

  private static func interpolate(_ samples: [Double], at x: Double) -> Double {
    let last = samples.count - 1
    if last < 1 { return samples.first ?? x }
    let position = x * Double(last)
    let index = min(max(Int(max(min(position, 1e6), -1)), 0), last - 1)
    let part = position - Double(index)
    return samples[index] + (samples[index + 1] - samples[index]) * part
  }

  private static func invert(_ samples: [Double], at y: Double) -> Double {
    let last = samples.count - 1
    if last < 1 { return y }
    var low = 0
    var high = last
    while high - low > 1 {
      let middle = (low + high) / 2
      if samples[middle] <= y { low = middle } else { high = middle }
    }
    let rise = samples[low + 1] - samples[low]
    let part = rise == 0 ? 0 : (y - samples[low]) / rise
    return (Double(low) + part) / Double(last)
  }

  private static func inverseParametric(
    _ g: Double, _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double
  ) -> Curve? {
    if g == 0 || a == 0 { return nil }
    let threshold = c * d + f
    let scale = pow(a, -g)
    return .parametric(
      g: 1 / g, a: scale, b: -e * scale, c: c == 0 ? 0 : 1 / c, d: threshold, e: -b / a,
      f: c == 0 ? 0 : -f / c)
  }
}

extension [Curve] {
  /// The values of the curves, applied one after another, at `count` places.
  public func values(count: Int, at place: (Int) -> Double) -> [Double] {
    (0..<count).map { index in reduce(place(index)) { $1($0) } }
  }
}

extension Curve: CustomStringConvertible {
  public var description: String {
    switch self {
    case .linear(let slope, let offset):
      "×\(slope.short)\(offset == 0 ? "" : " +\(offset.short)")"
    case .power(let exponent): "^\(exponent.short)"
    case .sigmoid(let k): "sigmoid \(k.short)"
    case .stretch(let amount): "stretch \(amount.short)"
    case .spline(let spline): "\(spline)"
    case .decode: "decode"
    case .encode: "encode"
    case .cubeRoot: "cbrt"
    case .cube: "cube"
    case .nonNegative: "≥ 0"
    case .parametric(let g, _, _, _, _, _, _): "parametric \(g.short)"
    case .sampled(let samples): "sampled[\(samples.count)]"
    case .inverseSampled(let samples): "inverse sampled[\(samples.count)]"
    case .log: "log"
    case .antilog: "antilog"
    }
  }
}
