import Foundation

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

  /// Weights that pick the lightness out of (L, a, b).
  static let lightness = ColourMatrix.Vector(1, 0, 0)

  /// (L, a, b) of a display-encoded colour.
  static func lab(fromEncoded colour: ColourMatrix.Vector) -> ColourMatrix.Vector {
    labFromLMS(lmsFromRGB(colour.mapped(.decode)).mapped(.cubeRoot))
  }

  /// The hue of a display-encoded colour, 0…360 degrees.
  static func hue(ofEncoded colour: ColourMatrix.Vector) -> Double {
    let lab = lab(fromEncoded: colour)
    let angle = atan2(lab.z, lab.y) * 180 / .pi
    return angle < 0 ? angle + 360 : angle
  }

  /// The distance of (L, a, b) from the grey of its lightness, as a part of the way to the edge of
  /// sRGB: 0 for greys, 1 at the edge, more outside.
  ///
  /// The way is that of linear light, in the channel that is nearest to its end.
  static func purity(of lab: ColourMatrix.Vector) -> Double {
    let light = rgbFromLMS(lmsFromLab(lab).mapped(.cube))
    let grey = lab.x * lab.x * lab.x
    let up = (light.max() - grey) / max(1 - grey, 0.0001)
    let down = (grey - light.min()) / max(grey, 0.0001)
    return max(0, up, down)
  }

  /// The factor of chroma less 1, for a requested factor less 1; it is smaller for purer colours,
  /// so that no colour of sRGB leaves sRGB.
  ///
  /// Chroma is × `(1 + g) / (1 + g p²)`: as asked for next to grey, and not at all at the edge.
  static func growth(of lab: ColourMatrix.Vector, by growth: Double) -> Double {
    let purity = min(1, purity(of: lab))
    let square = purity * purity
    return growth * (1 - square) / (1 + growth * square)
  }

  /// A colour that was made of another one, so that it leaves sRGB no more than that did.
  ///
  /// Limits a change of brightness for vivid colours.
  ///
  /// With m, the linear light of the brightest channel, its rise `d = √m' − √m` and its room `r =
  /// max(0, 1 − √m)`, the change is multiplied by `1 − (1 − L³ / m) d / (d + r)`. Then, with the
  /// purities before and after, and their growth `G = (after + 0.001) / (before + 0.001) − 1` if
  /// positive, chroma is multiplied by the lesser of `1 / (1 + G q²)`, q = min(1, before), and
  /// `max(1, before) / after`.
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
    let (old, new) = (purity(of: before), purity(of: lab))
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
  fileprivate func mapped(_ curve: Curve) -> Self { Self(curve(x), curve(y), curve(z)) }
}
