/// Adds a soft shadow of the photo; the frame grows as far as the shadow extends.
///
/// The shadow has the shape of the photo's opaque parts: it is `strength × alpha`, shifted and
/// blurred.
public struct ShadowFilter: Filter {
  public static let name = "shadow"
  public static let summary = "Adds a soft shadow behind the photo, and enlarges the frame for it."
  public static let category = FilterCategory.composite
  public static let space = WorkingSpace.encoded
  public static let changesFrame = true
  public static let settings: [Setting<Self>] = [
    Setting(
      "x", \.x, .number(.fraction, -0.5...0.5),
      "The shadow's distance to the right, as a fraction of the photo's shorter edge."),
    Setting(
      "y", \.y, .number(.fraction, -0.5...0.5),
      "The shadow's distance downwards, as a fraction of the photo's shorter edge."),
    Setting(
      "blur", \.blur, .number(.fraction, 0...0.1),
      "The blur's standard deviation, as a fraction of the photo's shorter edge."),
    Setting("colour", \.colour, .colour, "The shadow's colour."),
    Setting("strength", \.strength, .number(.strength, 0...1), "The opacity of the shadow."),
    Setting(
      "background", \.background, .colour,
      "The colour behind the photo and the shadow; by default it is transparent, if the format"
        + " has alpha."
    ),
  ]

  public var x = 0.01
  public var y = 0.015
  public var blur = 0.015
  public var colour = Colour.black
  public var strength = 0.5
  public var background = Colour.clear

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append(
      .shadow(
        Shadow(
          x: x, y: y, blur: blur, colour: colour, strength: strength, background: background)),
      input)
  }
}
