/// The strength of toning as a function of lightness: full at middle grey, 0 at black and white.
enum Toning {
  /// `1 − (2L − 1)⁴` for L in 0…1.
  static func envelope(_ lightness: Double) -> Double {
    let distance = 2 * lightness - 1
    return 1 - distance * distance * distance * distance
  }
}
