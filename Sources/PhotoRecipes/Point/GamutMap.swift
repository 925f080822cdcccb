/// Moves colours outside a space into it, along a line of constant lightness and hue in OKLab.
///
/// Colours inside the space, or outside by at most `edge`, do not change. A lightness above white or below black is first clipped.
/// A colour outside then gets the greatest chroma, at most its own, that is inside the space.
public struct GamutMap: Sendable, Hashable {
  /// The matrices between linear light of the space and cone responses.
  public let lmsFromRGB: ColourMatrix
  public let rgbFromLMS: ColourMatrix

  /// The distance outside the space up to which a colour does not change: rounding puts a primary
  /// that two spaces share outside one of them, and near blue the edge of a space is concave.
  private static let edge = 5e-5

  /// The number of times that the search for the chroma halves its interval.
  static let halvings = 18

  /// Creates the map into the space to which `matrix` converts linear sRGB; nil if it is singular.
  public init?(fromSRGB matrix: ColourMatrix = .identity) {
    guard let back = matrix.inverse else { return nil }
    lmsFromRGB = OKLab.lmsFromRGB.after(back)
    rgbFromLMS = matrix.after(OKLab.rgbFromLMS)
  }

  /// Maps a colour; the argument and the result are in linear light of the space.
  func callAsFunction(_ light: ColourMatrix.Vector) -> ColourMatrix.Vector {
    func isInside(_ light: ColourMatrix.Vector, edge: Double = 0) -> Bool {
      light.min() >= -edge && light.max() <= 1 + edge
    }
    if isInside(light, edge: Self.edge) { return light }
    let roots = lmsFromRGB(light).mapped(.cubeRoot)
    let lightness = OKLab.labFromLMS(roots).x
    let grey = min(1, max(0, lightness))
    func colour(_ part: Double) -> ColourMatrix.Vector {
      rgbFromLMS((grey + part * (roots - lightness)).mapped(.cube))
    }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<Self.halvings {
      let middle = (low + high) / 2
      if isInside(colour(middle)) { low = middle } else { high = middle }
    }
    return colour(low)
  }
}
