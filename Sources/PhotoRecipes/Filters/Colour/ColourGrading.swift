/// Grades shadows, midtones, highlights and the whole photo, each by a colour and a luminance, in
/// OKLab.
///
/// The ranges overlap, and their weights depend on the lightness L, clamped to 0…1:
///
/// - c: the centre of the midtones, `½ − 0.15 × balance`.
/// - h: the width of a transition, `0.1 + 0.8 × blending`.
/// - Weight of the highlights: `smoothstep((L − c − 0.2) / h + ½)`.
/// - Weight of the shadows: `1 − smoothstep((L − c + 0.2) / h + ½)`.
/// - Weight of the midtones: the rest.
///
/// A colour is a vector in the direction of its hue; its length is the chroma. The weighted mean of
/// the ranges' colours, plus the global colour, is multiplied by `0.15 × (1 − (2L − 1)⁴)` and added
/// to (a, b), so that black and white stay neutral.
///
/// Lightness changes by `0.32 × L (1 − L) × luminance`. The luminance is the global one plus the
/// weighted mean of the ranges' luminances, with other weights: shadows count fully up to c − ¼,
/// midtones at c, and highlights from c + ¼ on, with a smoothstep between neighbours. So a range
/// changes no lightness outside it, and brighter tones stay brighter. Compare `splitTone` and
/// `colourBalance`, which have fewer controls.
public struct ColourGrading: Filter {
  public static let name = "colourGrading"
  public static let summary =
    "Grades shadows, midtones, highlights and the whole by colour and luminance."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.oklab
  public static let revision = 2
  public static let settings: [Setting<Self>] =
    settings("shadows", \.shadows.hue, \.shadows.chroma, \.shadows.luminance)
    + settings("midtones", \.midtones.hue, \.midtones.chroma, \.midtones.luminance)
    + settings("highlights", \.highlights.hue, \.highlights.chroma, \.highlights.luminance)
    + settings("global", \.global.hue, \.global.chroma, \.global.luminance)
    + [
      Setting(
        "balance", \.balance, .number(.strength, -1...1),
        "The borders between the ranges; positive extends the highlights."),
      Setting(
        "blending", \.blending, .number(.fraction, 0...1),
        "How far the ranges overlap; 0 separates them."),
    ]

  /// The change of one range of tones.
  public struct Change: Sendable, Hashable {
    /// The hue in degrees of the HSV wheel, 0…360.
    public var hue = 0.0
    /// The strength of the colour, 0…1.
    public var chroma = 0.0
    /// The change of lightness, −1…1.
    public var luminance = 0.0

    var vector: SIMD2<Double> { chroma * ColourWheel.oklabDirection(hue) }
  }

  public var shadows = Change()
  public var midtones = Change()
  public var highlights = Change()
  public var global = Change()
  public var balance = 0.0
  public var blending = 0.5

  public init() {}

  public static var example: Self {
    with {
      $0.shadows = Change(hue: 215, chroma: 0.6, luminance: -0.3)
      $0.midtones.luminance = 0.2
      $0.highlights = Change(hue: 40, chroma: 0.5)
    }
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let (dark, middle, bright) = (shadows.vector, midtones.vector, highlights.vector)
    let centre = 0.5 - 0.15 * balance
    let width = 0.1 + 0.8 * blending
    let grade = Grade(weights: OKLab.lightness) { lightness in
      let above = ((lightness - centre - 0.2) / width + 0.5).smoothstep
      let notBelow = ((lightness - centre + 0.2) / width + 0.5).smoothstep
      let mean = (1 - notBelow) * dark + (notBelow - above) * middle + above * bright
      let tone = 0.15 * Toning.envelope(lightness) * (mean + global.vector)
      return Grade.Sample(
        gain: .init(repeating: 1), offset: .init(rise(of: lightness, centre), tone.x, tone.y)
      )
    }
    return graph.append([.colour(.grade(grade))], in: Self.space, after: input)
  }

  /// The change of a lightness, 0…1.
  private func rise(of lightness: Double, _ centre: Double) -> Double {
    let notDark = (4 * (lightness - centre) + 1).smoothstep
    let bright = (4 * (lightness - centre)).smoothstep
    let mean =
      (1 - notDark) * shadows.luminance + (notDark - bright) * midtones.luminance
      + bright * highlights.luminance
    return 0.32 * lightness * (1 - lightness) * (mean + global.luminance)
  }

  private static func settings(
    _ range: String, _ hue: Setting<Self>.Path<Double>, _ chroma: Setting<Self>.Path<Double>,
    _ luminance: Setting<Self>.Path<Double>
  ) -> [Setting<Self>] {
    let place = range == "global" ? "the whole photo" : "the \(range)"
    return [
      Setting(
        "\(range)Hue", hue, .number(.degrees, 0...360),
        "The colour added: 0 is red, 60 yellow, 120 green, 240 blue."),
      Setting(
        "\(range)Chroma", chroma, .number(.fraction, 0...1), identity: 0,
        "The strength of the colour in \(place)."),
      Setting(
        "\(range)Luminance", luminance, .number(.strength, -1...1), identity: 0,
        "Positive brightens \(place)."),
    ]
  }
}
