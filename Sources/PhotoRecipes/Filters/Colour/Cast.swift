/// Takes out the cast that lies over what is nearly grey, as far as asked, or strengthens it.
///
/// In OKLab, (a, b) less `amount × e × cast`, with `e = 1 − (2L − 1)⁴` of the lightness, which stays,
/// as black and white do. The cast is the one that leaves the least of colour at `amount` 1,
/// `Σ w e (a, b) ÷ Σ w e²`, where only what is nearly grey counts: `w = (1 − (C / 0.1)²)²` up to a
/// chroma C of 0.1. Where that is less than a twentieth of the photo, it is less in proportion.
/// - Source: G. Buchsbaum, "A spatial processor model for object colour perception", J. Franklin
///   Inst. 310 (1980), for the mean; the weights are Tukey's biweight.
public struct Cast: MeasuringFilter {
  public static let name = "cast"
  public static let summary = "Takes out the cast over what is nearly grey, or strengthens it."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.oklab
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...2), identity: 0,
      "1 takes the cast out, 2 turns it to its opposite, −1 doubles it.")
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
    return graph.append([.grade(grade)], in: Self.space, after: input)
  }

  /// The chroma from which a colour is no grey.
  private static let vivid = 0.1
  /// The part of the photo that must be nearly grey.
  private static let least = 0.05

  /// (0, a, b) of what lies over the greys of these pixels.
  private static func cast(over pixels: [SIMD3<Float>]) -> ColourMatrix.Vector {
    var (sum, squares, part) = (ColourMatrix.Vector.zero, 0.0, 0.0)
    for pixel in pixels {
      let lab = OKLab.lab(
        fromEncoded: .init(Double(pixel.x), Double(pixel.y), Double(pixel.z)))
      let chroma = (lab.y * lab.y + lab.z * lab.z) / (vivid * vivid)
      // Nor is a colour that is no number.
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
