import Glibc

/// A camera's logarithmic encoding of linear light, in which 0.18 is middle grey and 1.0 is diffuse
/// white; encoded values are fractions, 0…1, of the full code range.
///
/// Light x of at least `cut` is encoded as `c × log10(a x + b) + d`; the toe encodes darker light.
public struct LogCurve: Sendable, Hashable {
  /// The part of the curve for light below `cut`.
  public enum Toe: Sendable, Hashable {
    /// `slope × x + offset`.
    case line(slope: Double, offset: Double)
    /// `scale × ∛(x + offset)`.
    case root(scale: Double, offset: Double)
  }

  let a, b, c, d: Double
  /// The light at which the toe ends.
  let cut: Double
  let toe: Toe

  func callAsFunction(_ x: Double) -> Double {
    if x >= cut { return c * log10(a * x + b) + d }
    switch toe {
    case .line(let slope, let offset): return slope * x + offset
    case .root(let scale, let offset): return scale * cbrt(x + offset)
    }
  }

  /// The linear light of an encoded value.
  func light(_ y: Double) -> Double {
    if y >= self(cut) { return (pow(10, (y - d) / c) - b) / a }
    switch toe {
    case .line(let slope, let offset): return (y - offset) / slope
    case .root(let scale, let offset):
      let root = y / scale
      return root * root * root - offset
    }
  }
}

extension LogCurve {
  /// Source: Academy S-2016-001, ACEScct, 4.4.
  static let acescct = LogCurve(
    a: 1, b: 0, c: 1 / (17.52 * log10(2)), d: 9.72 / 17.52, cut: 0.0078125,
    toe: .line(slope: 10.5402377416545, offset: 0.0729055341958355))
  /// Log C at exposure index 800.
  ///
  /// - Source: ARRI, ALEXA Log C Curve, Usage in VFX, 2017.
  static let logC3 = LogCurve(
    a: 5.555556, b: 0.052272, c: 0.247190, d: 0.385537, cut: 0.010591,
    toe: .line(slope: 5.367655, offset: 0.092809))
  /// Source: ARRI, LogC4 Logarithmic Color Space, Specification, 2022.
  static let logC4: LogCurve = {
    let a = (262_144.0 - 16) / 117.45
    let (b, c) = ((1023.0 - 95) / 1023, 95.0 / 1023)
    let slope = 7 * log(2) * exp2(7 - 14 * c / b) / (a * b)
    let cut = (exp2(14 * -c / b + 6) - 64) / a
    return LogCurve(
      a: a, b: 64, c: b / (14 * log10(2)), d: c - 6 * b / 14, cut: cut,
      toe: .line(slope: 1 / slope, offset: -cut / slope))
  }()
  /// Source: Sony, Technical Summary for S-Gamut3.Cine/S-Log3 and S-Gamut3/S-Log3, 2014.
  static let sLog3 = LogCurve(
    a: 1 / 0.19, b: 0.01 / 0.19, c: 261.5 / 1023, d: 420.0 / 1023, cut: 0.01125,
    toe: .line(slope: (171.2102946929 - 95) / 0.01125 / 1023, offset: 95.0 / 1023))
  /// Source: Panasonic, V-Log/V-Gamut Reference Manual, 2014.
  static let vLog = LogCurve(
    a: 1, b: 0.00873, c: 0.241514, d: 0.598206, cut: 0.01, toe: .line(slope: 5.6, offset: 0.125))
  /// Source: Nikon, N-Log Specification Document 1.0.0, 2018.
  static let nLog = LogCurve(
    a: 1, b: 0, c: 150 * log(10) / 1023, d: 619.0 / 1023, cut: 0.328,
    toe: .root(scale: 650.0 / 1023, offset: 0.0075))
}
