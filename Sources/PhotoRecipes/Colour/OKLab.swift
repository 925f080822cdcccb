import Glibc

/// The two matrices of OKLab and their inverses.
///
/// - Source: B. Ottosson, "A perceptual color space for image processing", 2020.
enum OKLab {
  static let lmsFromRGB = ColourMatrix(
    .init(0.4122214708, 0.5363325363, 0.0514459929),
    .init(0.2119034982, 0.6806995451, 0.1073969566),
    .init(0.0883024619, 0.2817188376, 0.6299787005))
  static let labFromLMS = ColourMatrix(
    .init(0.2104542553, 0.7936177850, -0.0040720468),
    .init(1.9779984951, -2.4285922050, 0.4505937099),
    .init(0.0259040371, 0.7827717662, -0.8086757660))
  static let rgbFromLMS = lmsFromRGB.inverse ?? .identity
  static let lmsFromLab = labFromLMS.inverse ?? .identity

  /// The vector of weights that selects the lightness of (L, a, b).
  static let lightness = ColourMatrix.Vector(1, 0, 0)

  /// Converts a display-encoded colour to (L, a, b).
  static func lab(fromEncoded colour: ColourMatrix.Vector) -> ColourMatrix.Vector {
    labFromLMS(lmsFromRGB(colour.mapped(.decode)).mapped(.cubeRoot))
  }

  /// The hue of a display-encoded colour, 0…360 degrees.
  static func hue(ofEncoded colour: ColourMatrix.Vector) -> Double {
    let lab = lab(fromEncoded: colour)
    let angle = atan2(lab.z, lab.y) * 180 / .pi
    return angle < 0 ? angle + 360 : angle
  }

  /// The factor, 0.3…1, by which an increase of chroma is reduced for hues of skin: 0.3 within 10°
  /// of 50°, the hue of skin, and 1 beyond 28°.
  ///
  /// Between 10° and 28° the factor is a smoothstep of the cosine of the distance.
  static func partForSkin(of lab: ColourMatrix.Vector) -> Double {
    func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
    let apart = cos(atan2(lab.z, lab.y) - 50 * .pi / 180)
    return 1 - 0.7 * ((apart - cosine(28)) / (cosine(10) - cosine(28))).smoothstep
  }

  /// Limits the change from the colour `before` to the colour `lab`, so that the result exceeds
  /// sRGB no more than `before` does.
  ///
  /// Use this function to limit a change of brightness for vivid colours.
  ///
  /// First, if d > 0, the whole change from `before` to `lab` is multiplied by `1 − (1 − L³ / m) d
  /// / (d + r)`:
  ///
  /// - m, m': the linear light of the brightest channel before and after the change.
  /// - L: the lightness of `before`.
  /// - d: the rise `√m' − √m`.
  /// - r: the room `max(0, 1 − √m)`.
  ///
  /// Then, if G > 0, the chroma is multiplied by the lesser of `1 / (1 + G q²)` and `max(1, p) /
  /// P`:
  ///
  /// - p, P: the purities in sRGB of `before` and of the colour after the first change.
  /// - G: the growth of purity `(P + 0.001) / (p + 0.001) − 1`.
  /// - q: `min(1, p)`.
  static func held(
    _ lab: ColourMatrix.Vector, as before: ColourMatrix.Vector
  ) -> ColourMatrix.Vector {
    var lab = lab
    func brightest(_ lab: ColourMatrix.Vector) -> Double {
      max(0, rgbFromLMS(lmsFromLab(lab).mapped(.cube)).max())
    }
    let light = brightest(before)
    let rise = brightest(lab).squareRoot() - light.squareRoot()
    if rise > 0 {
      let room = max(0, 1 - light.squareRoot())
      let grey = min(1, max(0, before.x * before.x * before.x / max(light, 0.0001)))
      lab = before + (1 - (1 - grey) * rise / (rise + room + 1e-6)) * (lab - before)
    }
    let (old, new) = (Gamut.sRGB.purity(of: before), Gamut.sRGB.purity(of: lab))
    let growth = (new + 0.001) / (old + 0.001) - 1
    if growth <= 0 { return lab }
    let inside = min(1, old)
    let factor = min(1 / (1 + growth * inside * inside), max(1, old) / new)
    return lab * .init(1, factor, factor)
  }

  /// The display-encoded colour of (L, a, b), not clipped.
  static func encoded(fromLab lab: ColourMatrix.Vector) -> ColourMatrix.Vector {
    rgbFromLMS(lmsFromLab(lab).mapped(.cube)).mapped(.encode)
  }
}

extension ColourMatrix.Vector {
  /// The vector with a curve applied to each channel.
  func mapped(_ curve: Curve) -> Self { Self(curve(x), curve(y), curve(z)) }
}
