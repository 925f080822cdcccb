import Glibc

/// Moves colours outside a space into it, along a line of constant lightness and hue in OKLab.
///
/// Colours inside the space, or outside by at most `edge`, do not change. A lightness above white or
/// below black is first clipped. A colour outside then gets the greatest chroma, at most its own, up
/// to which all smaller ones are inside the space.
///
/// Near blue the space is concave: at nearly the same hue, chroma can leave the space and enter it
/// again. So that neighbouring colours stay neighbours, the chroma of hues within 25° of blue is
/// greater, by the parts of the line beyond that are nearly inside; what is still outside is clipped
/// (by up to 1.7° of OKLab's hue). Light blues, where the space is convex, keep their hue. The
/// instruction GAMUT has the formulas.
public struct GamutMap: Sendable, Hashable {
  /// The matrices between linear light of the space and cone responses.
  public let lmsFromRGB: ColourMatrix
  public let rgbFromLMS: ColourMatrix
  /// The direction of the space's blue in (a, b) of OKLab, of length 1.
  public let blue: SIMD2<Double>
  /// True if the map takes and returns sRGB-encoded values; else they are linear light.
  public let isEncoded: Bool

  /// The distance outside the space up to which a colour does not change: rounding puts a primary
  /// that two spaces share outside one of them.
  private static let edge = 1e-5
  /// The number of even steps in which the edge of the space is searched, and of the halvings of
  /// the first step that leaves the space.
  static let steps = 8
  static let halvings = 14
  /// The distance outside the space at which a colour near blue counts as outside, and the cosines
  /// of 25° and 8°.
  private static let soft = 0.1
  private static let (far, near) = (cos(25 * Double.pi / 180), cos(8 * Double.pi / 180))
  /// The lightnesses at which the treatment of blues begins to fade, and ends.
  private static let (dim, light) = (0.6, 0.8)

  /// The map into sRGB, of encoded values.
  public static let ofEncodedSRGB = GamutMap(fromSRGB: .identity, isEncoded: true)

  /// Creates the map into the space to which `matrix` converts linear sRGB; nil if it is singular.
  public init?(fromSRGB matrix: ColourMatrix) {
    self.init(fromSRGB: matrix, isEncoded: false)
  }

  private init?(fromSRGB matrix: ColourMatrix, isEncoded: Bool) {
    self.isEncoded = isEncoded
    guard let back = matrix.inverse else { return nil }
    lmsFromRGB = OKLab.lmsFromRGB.after(back)
    rgbFromLMS = matrix.after(OKLab.rgbFromLMS)
    let lab = OKLab.labFromLMS(lmsFromRGB(.init(0, 0, 1)).mapped(.cubeRoot))
    let chroma = hypot(lab.y, lab.z)
    if chroma == 0 { return nil }
    blue = SIMD2(lab.y, lab.z) / chroma
  }

  /// Maps a colour of the space.
  func callAsFunction(_ colour: ColourMatrix.Vector) -> ColourMatrix.Vector {
    if !isEncoded { return mapped(colour) }
    let light = colour.mapped(.decode)
    let result = mapped(light)
    return result == light ? colour : result.mapped(.encode)
  }

  /// Maps a colour in linear light.
  private func mapped(_ light: ColourMatrix.Vector) -> ColourMatrix.Vector {
    func isInside(_ light: ColourMatrix.Vector, edge: Double = 0) -> Bool {
      light.min() >= -edge && light.max() <= 1 + edge
    }
    if isInside(light, edge: Self.edge) { return light }
    let roots = lmsFromRGB(light).mapped(.cubeRoot)
    let lab = OKLab.labFromLMS(roots)
    let grey = min(1, max(0, lab.x))
    func colour(_ part: Double) -> ColourMatrix.Vector {
      rgbFromLMS((grey + part * (roots - lab.x)).mapped(.cube))
    }
    let steps = Double(Self.steps)
    var (low, high) = (1.0, 1.0)
    for step in 1...Self.steps where !isInside(colour(Double(step) / steps)) {
      (low, high) = (Double(step - 1) / steps, Double(step) / steps)
      break
    }
    for _ in 0..<Self.halvings {
      let middle = (low + high) / 2
      if isInside(colour(middle)) { low = middle } else { high = middle }
    }
    let along = (lab.y * blue.x + lab.z * blue.y) / max(1e-6, hypot(lab.y, lab.z))
    let weight =
      ((along - Self.far) / (Self.near - Self.far)).smoothstep
      * (1 - ((grey - Self.dim) / (Self.light - Self.dim)).smoothstep)
    if weight > 0 {
      func inside(_ light: ColourMatrix.Vector) -> Double {
        let beyond = max(-light.min() / max(1e-6, grey * grey * grey), light.max() - 1)
        return 1 - min(1, max(0, beyond / max(1e-9, Self.soft * weight)))
      }
      let rest = 1 - low
      let sum = (0..<Self.steps).reduce(0) {
        $0 + inside(colour(low + rest * (Double($1) + 0.5) / steps))
      }
      low += rest * sum / steps
      low += (1 - low) * inside(light)
    }
    return colour(low).clamped(lowerBound: .zero, upperBound: .one)
  }
}
