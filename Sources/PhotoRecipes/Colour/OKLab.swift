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

  /// How far (L, a, b) is from the grey of its lightness on the way to the edge of sRGB: 0 of greys,
  /// 1 at the edge, more outside.
  ///
  /// The way is that of linear light, in the channel that is nearest to its end.
  static func purity(of lab: ColourMatrix.Vector) -> Double {
    let light = rgbFromLMS(lmsFromLab(lab).mapped(.cube))
    let grey = lab.x * lab.x * lab.x
    let up = (light.max() - grey) / max(1 - grey, 0.0001)
    let down = (grey - light.min()) / max(grey, 0.0001)
    return max(0, up, down)
  }

  /// What chroma grows by where `growth` is asked for, both less 1: the less the purer the colour is,
  /// so that none leaves sRGB that was in it.
  ///
  /// Chroma is × `(1 + g) / (1 + g p²)`: as asked for next to grey, and not at all at the edge.
  static func growth(of lab: ColourMatrix.Vector, by growth: Double) -> Double {
    let purity = min(1, purity(of: lab))
    let square = purity * purity
    return growth * (1 - square) / (1 + growth * square)
  }

  /// The display-encoded colour of (L, a, b), not clipped.
  static func encoded(fromLab lab: ColourMatrix.Vector) -> ColourMatrix.Vector {
    rgbFromLMS(lmsFromLab(lab).mapped(.cube)).mapped(.encode)
  }
}

extension ColourMatrix.Vector {
  fileprivate func mapped(_ curve: Curve) -> Self { Self(curve(x), curve(y), curve(z)) }
}
