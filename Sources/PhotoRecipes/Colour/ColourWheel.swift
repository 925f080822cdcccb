import Glibc

/// The fully saturated sRGB colours by hue, as on the HSV wheel: 0° red, 120° green, 240° blue.
///
/// - Source: A. R. Smith, "Color Gamut Transform Pairs", SIGGRAPH 1978.
enum ColourWheel {
  /// The display-encoded colour at a hue in degrees.
  static func colour(_ hue: Double) -> ColourMatrix.Vector {
    func channel(_ centre: Double) -> Double {
      let turned = (hue - centre) / 360
      let distance = abs(turned - turned.rounded()) * 6
      return min(1, max(0, 2 - distance))
    }
    return .init(channel(0), channel(120), channel(240))
  }

  /// The hue in OKLab of the wheel's colour at `hue`, 0…360 degrees.
  static func oklabHue(_ hue: Double) -> Double {
    OKLab.hue(ofEncoded: colour(hue))
  }

  /// The OKLab direction (a, b) of the wheel's colour at `hue`, as a vector of length 1.
  static func oklabDirection(_ hue: Double) -> SIMD2<Double> {
    let lab = OKLab.lab(fromEncoded: colour(hue))
    return SIMD2(lab.y, lab.z) / hypot(lab.y, lab.z)
  }
}
