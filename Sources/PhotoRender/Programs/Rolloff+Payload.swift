import PhotoRecipes

extension Rolloff {
  private static let degree = 7
  /// The offset of sRGB's power function.
  private static let offset = 0.055

  /// The payload of the instruction ROLLOFF without its first value.
  var payload: [Double] {
    [knee, bend] + gamut.fromSRGB.rows.flatMap { [$0.x, $0.y, $0.z] } + limitOfCodes
  }

  /// The limit of display-encoded channels as a polynomial: the middle and the reciprocal of half
  /// the width of an interval, and the coefficients, the constant first.
  ///
  /// The variable is `1 ÷ (x + 0.055)`, moved from the interval to −1…1; x is an encoded channel
  /// between the knee and the peak. A polynomial of this degree in this variable is within 2e-6 of
  /// the limit for peaks up to 4 stops above white.
  private var limitOfCodes: [Double] {
    let (knee, encode) = (knee, Curve.encode)
    let peak = bend > 0 ? knee + 1 / (1 / (1 - knee) - bend) : knee
    let (first, last) = (1 / (encode(peak) + Self.offset), 1 / (encode(knee) + Self.offset))
    guard last - first > 1e-6 else {
      return [last, 0] + [encode(knee)] + Array(repeating: 0, count: Self.degree)
    }
    let (middle, half) = ((first + last) / 2, (last - first) / 2)
    let factors = Polynomial.interpolating(from: -1, to: 1, degree: Self.degree) { t in
      let code = 1 / (middle + half * t) - Self.offset
      return self(ColourMatrix.Vector(repeating: code)).x
    }
    return [middle, 1 / half] + factors
  }
}
