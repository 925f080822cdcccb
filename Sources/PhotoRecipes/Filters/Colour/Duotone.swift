/// Prints the photo in two colours: one for the shadows and one for the highlights.
///
/// The BT.709 luma of display-encoded values is clamped to 0…1, and changed by an S curve with the
/// steepness `8 × contrast` (see `Curve.sigmoid`). The pixel gets a colour on the straight line
/// between the two colours in OKLab. The colour's lightness is that of a grey: the resulting luma,
/// 0…1, determines its position between two display-encoded greys, which have the lightness of the
/// two colours. A gradient from black to white therefore gives the photo in grey.
public struct Duotone: Filter {
  public static let name = "duotone"
  public static let summary =
    "Maps the tones of the photo to a gradient between two colours, in OKLab."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.encoded
  public static let revision = 2
  public static let settings: [Setting<Self>] = [
    Setting("shadows", \.shadows, .colour, "The colour that replaces black; its alpha is ignored."),
    Setting(
      "highlights", \.highlights, .colour, "The colour that replaces white; its alpha is ignored."),
    Setting(
      "contrast", \.contrast, .number(.strength, -1...1),
      "Raises or lowers the contrast before the tones are coloured."),
  ]

  public var shadows = Colour(red: 0x1B, green: 0x1B, blue: 0x3A)
  public var highlights = Colour(red: 0xF6, green: 0xE7, blue: 0xCB)
  public var contrast = 0.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let (dark, bright) = (
      OKLab.lab(fromEncoded: shadows.encoded), OKLab.lab(fromEncoded: highlights.encoded)
    )
    let curve = contrast == 0 ? Curve.linear(slope: 1, offset: 0) : .sigmoid(8 * contrast)
    let (black, white) = (Self.grey(asLightAs: dark), Self.grey(asLightAs: bright))
    let span = bright.x - dark.x
    let grade = Grade(count: 4096) { luma in
      let tone = curve(luma)
      let grey = OKLab.lab(fromEncoded: .init(repeating: black + tone * (white - black)))
      // Between colours of equal lightness, the quotient would be 0 / 0; its limit is the tone.
      let position = abs(span) < 1e-4 ? tone : (grey.x - dark.x) / span
      let lab = dark + position * (bright - dark)
      return Grade.Sample(gain: .zero, offset: OKLab.encoded(fromLab: lab))
    }
    return graph.append([.colour(.grade(grade))], in: Self.space, after: input)
  }

  /// The display-encoded grey, 0…1, with the lightness of an OKLab colour.
  private static func grey(asLightAs lab: ColourMatrix.Vector) -> Double {
    OKLab.encoded(fromLab: .init(lab.x, 0, 0)).x
  }
}
