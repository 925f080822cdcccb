import Glibc

/// Turns all hues by the same angle.
///
/// The filter rotates (a, b) in OKLab; lightness and chroma stay.
public struct Hue: Filter {
  public static let name = "hue"
  public static let summary = "Rotates all hues by an angle."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.oklab
  public static let settings: [Setting<Self>] = [
    Setting(
      "angle", \.angle, .number(.degrees, -180...180), identity: 0,
      "Positive shifts red towards yellow and green, negative towards magenta and blue.")
  ]

  public var angle = 0.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let (c, s) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
    let turn = ColourMatrix(.init(1, 0, 0), .init(0, c, -s), .init(0, s, c))
    return graph.append([.matrix(turn)], in: Self.space, after: input)
  }
}
