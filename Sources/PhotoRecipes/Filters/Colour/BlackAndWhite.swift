/// Turns colours to grey by a weighted sum of their light, as film behind a colour filter does.
///
/// `grey = (red R + green G + blue B) / (red + green + blue)` in linear light, then
/// `out = in + intensity × (grey − in)`. The default weights are those of luminance.
/// - Source: IEC 61966-2-1:1999, the Y row of its RGB → XYZ matrix.
public struct BlackAndWhite: Filter {
  public static let name = "blackAndWhite"
  public static let summary = "Turns the photo to grey with a weight for each colour."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.linear
  public static let settings: [Setting<Self>] = [
    Setting(
      "intensity", \.intensity, .number(.fraction, 0...1), identity: 0, "0 keeps the colours."),
    Setting("red", \.red, .number(.factor, -2...3), "The weight of red light."),
    Setting("green", \.green, .number(.factor, -2...3), "The weight of green light."),
    Setting("blue", \.blue, .number(.factor, -2...3), "The weight of blue light."),
  ]

  public var intensity = 1.0
  public var red = 0.2126
  public var green = 0.7152
  public var blue = 0.0722

  public init() {}

  public var contradiction: Problem? {
    if red + green + blue >= 0.1 { return nil }
    return .contradiction(
      "the weights 'red', 'green' and 'blue' add up to \((red + green + blue).short)",
      remedy: "let them add up to 0.1 or more; they are scaled to 1")
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let grey = ColourMatrix.Vector(red, green, blue) / (red + green + blue) * intensity
    let rest = ColourMatrix.diagonal(.init(repeating: 1 - intensity)).rows
    let mix = ColourMatrix(rest[0] + grey, rest[1] + grey, rest[2] + grey)
    return graph.append([.matrix(mix)], in: Self.space, after: input)
  }
}
