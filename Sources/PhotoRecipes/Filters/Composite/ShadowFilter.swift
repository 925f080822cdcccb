/// Adds a soft shadow of the photo; the frame grows as far as the shadow extends.
///
/// The shadow has the shape of the opaque parts: `strength × alpha`, shifted and blurred.
public struct ShadowFilter: Filter {
  public static let name = "shadow"
  public static let summary = "Lets the photo throw a soft shadow, in a frame with room for it."
  public static let category = FilterCategory.composite
  public static let space = WorkingSpace.encoded
  public static let changesFrame = true
  public static let settings: [Setting<Self>] = [
    Setting(
      "x", \.x, .number(.fraction, -0.5...0.5),
      "How far to the right it falls, as a part of the photo's shorter edge."),
    Setting("y", \.y, .number(.fraction, -0.5...0.5), "How far down it falls, likewise."),
    Setting(
      "blur", \.blur, .number(.fraction, 0...0.1), "The Gaussian's standard deviation, likewise."),
    Setting("colour", \.colour, .colour, "The shadow's colour."),
    Setting("strength", \.strength, .number(.strength, 0...1), "How dark it is."),
    Setting(
      "background", \.background, .colour,
      "What it falls on; nothing, where the format has alpha."),
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
