/// Prints the photo in two colours: one for the shadows and one for the highlights.
///
/// The BT.709 luma of display-encoded values is clamped to 0…1, and changed by an S curve with the
/// steepness `8 × contrast` (see `Curve.sigmoid`). The resulting luma, 0…1, determines a position
/// on the straight line between the two colours in OKLab; the pixel gets the colour at that
/// position.
public struct Duotone: Filter {
  public static let name = "duotone"
  public static let summary = "Maps the tones of the photo to a gradient between two colours."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.encoded
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
    let grade = Grade(count: 4096) { luma in
      let lab = dark + curve(luma) * (bright - dark)
      return Grade.Sample(gain: .zero, offset: OKLab.encoded(fromLab: lab))
    }
    return graph.append([.colour(.grade(grade))], in: Self.space, after: input)
  }
}
