/// Cuts the photo's corners off along quarter circles.
///
/// Each pixel of a corner keeps the fraction of its area that is inside the circle.
public struct RoundCorners: Filter {
  public static let name = "roundCorners"
  public static let summary = "Rounds the photo's corners."
  public static let category = FilterCategory.composite
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "radius", \.radius, .length, identity: .pixels(0),
      "The corners' radius, at most half the photo's shorter edge; a fraction is relative to that"
        + " edge."
    ),
    Setting(
      "colour", \.colour, .colour,
      "The colour of the corners; by default they are transparent, if the format has alpha."
    ),
    Setting(
      "dpi", \.dpi, .number(.dpi, 1...9600),
      "Pixels per inch, for lengths on paper such as \"3cm\"."
    ).usually(72...600),
  ]

  public var radius = Length.fraction(0.05)
  public var colour = Colour.clear
  public var dpi = 300.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let corners = RoundedCorners(radius: radius, colour: colour, dpi: dpi)
    return graph.append(.drawn(.corners(corners)), input)
  }
}
