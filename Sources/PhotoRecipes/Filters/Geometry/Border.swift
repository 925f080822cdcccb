/// Puts a border with the same width on all sides around the photo.
public struct Border: Filter {
  public static let name = "border"
  public static let summary = "Adds a border of equal width around the photo."
  public static let category = FilterCategory.geometry
  public static let space = WorkingSpace.none
  public static let settings: [Setting<Self>] = [
    Setting(
      "width", \.width, .length, identity: .pixels(0),
      "The border's width; a fraction is relative to the photo's shorter edge."),
    Setting(
      "colour", \.colour, .colour, "The border's colour; transparency needs a format with alpha."),
    Setting(
      "dpi", \.dpi, .number(.dpi, 1...9600),
      "Pixels per inch, for lengths on paper such as \"3cm\"."
    ).usually(72...600),
  ]

  public var width = Length.fraction(0.03)
  public var colour = Colour.white
  public var dpi = 300.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append(
      .pad(Pad(frame: .border(width, dpi: dpi), gravity: .center, colour: colour)), input)
  }
}
