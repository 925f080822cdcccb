/// Removes, in whole or in part, the colour cast of nearly grey pixels, or strengthens it.
///
/// In OKLab, `amount × e × cast` is subtracted from (a, b), with `e = 1 − (2L − 1)⁴` of the
/// lightness L. Lightness does not change, nor do black and white. The cast `Σ w e (a, b) ÷ Σ w e²`
/// is the value that leaves the least chroma at `amount` 1. Only nearly grey pixels are included:
/// `w = (1 − (C / 0.1)²)²` up to a chroma C of 0.1. If they are less than a twentieth of the photo,
/// the cast is reduced in proportion.
/// - Source: G. Buchsbaum, "A spatial processor model for object colour perception", J. Franklin
///   Inst. 310 (1980), for the mean; the weights are Tukey's biweight.
public struct Cast: MeasuringFilter {
  public static let name = "cast"
  public static let summary = "Removes or strengthens the colour cast of nearly grey areas."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.oklab
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...2), identity: 0,
      "1 removes the cast, 2 turns it into the opposite cast, −1 doubles it.")
  ]

  public var amount = 0.0

  public init() {}

  public static var example: Self { with { $0.amount = 1 } }

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    let cast = amount * Self.cast(over: view.visible)
    let grade = Grade(weights: OKLab.lightness) { lightness in
      Grade.Sample(
        gain: .init(repeating: 1), offset: -Toning.envelope(lightness) * cast)
    }
    return graph.append([.colour(.grade(grade))], in: Self.space, after: input)
  }

  /// The chroma at and above which a colour is not treated as grey.
  private static let vivid = 0.1
  /// The fraction of the photo that must be nearly grey for a full correction.
  private static let least = 0.05

  /// The cast over the grey pixels among `pixels`, as (0, a, b).
  private static func cast(over pixels: [SIMD3<Float>]) -> ColourMatrix.Vector {
    var (sum, squares, part) = (ColourMatrix.Vector.zero, 0.0, 0.0)
    for pixel in pixels {
      let lab = OKLab.lab(
        fromEncoded: .init(Double(pixel.x), Double(pixel.y), Double(pixel.z)))
      let chroma = (lab.y * lab.y + lab.z * lab.z) / (vivid * vivid)
      // Skips vivid colours, and colours that are NaN, because the comparison is false for NaN.
      guard chroma < 1 else { continue }
      let weight = (1 - chroma) * (1 - chroma)
      let envelope = Toning.envelope(min(1, max(0, lab.x)))
      sum += weight * envelope * ColourMatrix.Vector(0, lab.y, lab.z)
      squares += weight * envelope * envelope
      part += weight
    }
    if squares < 1e-9 { return .zero }
    return min(1, part / (least * Double(pixels.count))) / squares * sum
  }
}
