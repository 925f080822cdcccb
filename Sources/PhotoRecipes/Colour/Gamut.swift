/// The gamut of an RGB space: the colours whose channels are in 0…1.
public struct Gamut: Sendable, Hashable {
  /// The matrix from linear sRGB to linear light of the space; each row sums to 1.
  public let fromSRGB: ColourMatrix
  /// The matrix from the cone responses of OKLab to linear light of the space; each row sums to 1.
  public let rgbFromLMS: ColourMatrix

  public static let sRGB = Gamut(fromSRGB: .identity, rgbFromLMS: OKLab.rgbFromLMS)

  private init(fromSRGB: ColourMatrix, rgbFromLMS: ColourMatrix) {
    self.fromSRGB = fromSRGB
    self.rgbFromLMS = rgbFromLMS
  }

  /// Creates the gamut of a space.
  ///
  /// `matrix` converts linear sRGB to linear light of the space, and white to white.
  public init(fromSRGB matrix: ColourMatrix) {
    self.init(fromSRGB: matrix, rgbFromLMS: matrix.after(OKLab.rgbFromLMS))
  }

  /// The distance of (L, a, b) from the grey of the same lightness, as a fraction of the distance
  /// to the edge of the gamut: 0 for greys, 1 at the edge, more than 1 outside.
  ///
  /// The distance is measured in linear light, in the channel that is nearest to its limit.
  func purity(of lab: ColourMatrix.Vector) -> Double {
    let light = rgbFromLMS(OKLab.lmsFromLab(lab).mapped(.cube))
    let grey = lab.x * lab.x * lab.x
    let up = (light.max() - grey) / max(1 - grey, 0.0001)
    let down = (grey - light.min()) / max(grey, 0.0001)
    return max(0, up, down)
  }

  /// The relative growth of a colour's chroma, for the requested growth g; 0 is no change.
  ///
  /// The growth is smaller for purer colours: a colour at the edge of the gamut does not change,
  /// and few colours within it leave it, because purity is measured in linear light and chroma is
  /// not.
  ///
  /// Chroma is multiplied by `(1 + g) / (1 + g p²)`, where p is the purity: by 1 + g near grey, by
  /// 1 at the edge of the gamut.
  func growth(of lab: ColourMatrix.Vector, by growth: Double) -> Double {
    let purity = min(1, purity(of: lab))
    let square = purity * purity
    return growth * (1 - square) / (1 + growth * square)
  }
}

extension Gamut: CustomStringConvertible {
  /// The text that follows the name of a change; sRGB is not named.
  public var description: String { self == .sRGB ? "" : " within the output's gamut" }
}
