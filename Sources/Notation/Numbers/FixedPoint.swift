import Glibc

extension Double {
  /// This number with exactly `decimals` digits after the point, rounded half away from zero:
  /// `1.25.fixed(1)` is `1.3`.
  ///
  /// The text does not depend on the locale. It has an exponent, `nan` or `inf` only if the number
  /// times 10^decimals does not fit an integer of 64 bits.
  ///
  /// - Parameter decimals: 0 to 9.
  /// - Returns: Digits with a point, and a minus sign for negative numbers that are not rounded to
  ///   0.
  public func fixed(_ decimals: Int) -> String {
    let scale = pow(10, Double(decimals))
    let units = (magnitude * scale).rounded()
    guard let whole = Int(exactly: units) else { return "\(self)" }
    let sign = sign == .minus && whole > 0 ? "-" : ""
    let unit = Int(scale)
    if decimals == 0 { return "\(sign)\(whole)" }
    return "\(sign)\(whole / unit).\((whole % unit).digits(decimals))"
  }
}
