/// Removes the purple and green fringes that lenses leave along edges of high contrast.
///
/// A fringe is a narrow area of its colour: what rises above the morphological opening of the
/// colour by a square of `radius`. Wider areas, such as flowers and leaves, are none, up to their
/// edges; nor are narrow ones beside each other, as in a meadow: what rises is multiplied by 1
/// minus a smoothstep from 0.35 to 0.7 of the mean of the colour within twice the radius, as a
/// share of the pixel's own. The colour of a pixel is the range of its channels, times the weight
/// of its hue: 1 within the hues, falling to 0 over 15° on either side. The chroma of a fringe
/// moves to the mean of the chroma around it, by the amount, times a smoothstep of the range of the
/// luma within the square from half of `contrast` to one and a half. The luminance, in linear
/// light, does not change.
public struct Defringe: Filter {
  public static let name = "defringe"
  public static let summary = "Removes purple and green fringes along edges."
  public static let category = FilterCategory.detail
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "purple", \.purple, .number(.fraction, 0...1), identity: 0,
      "How much of purple fringes is removed."),
    Setting(
      "green", \.green, .number(.fraction, 0...1), identity: 0,
      "How much of green fringes is removed."),
    Setting(
      "radius", \.radius, .integer(.pixels, 1...16),
      "Half the width of the widest fringe; wider areas of the colour stay."),
    Setting(
      "contrast", \.contrast, .number(.fraction, 0...1),
      "The difference of brightness of an edge that can have a fringe; 0 for all edges."),
    Setting(
      "purpleFrom", \.purpleFrom, .number(.degrees, 0...360),
      "The first hue of purple on the HSV wheel, where 0 is red, 120 green and 240 blue."),
    Setting(
      "purpleTo", \.purpleTo, .number(.degrees, 0...360), "The last hue of purple."),
    Setting(
      "greenFrom", \.greenFrom, .number(.degrees, 0...360), "The first hue of green."),
    Setting(
      "greenTo", \.greenTo, .number(.degrees, 0...360), "The last hue of green."),
  ]

  public var purple = 0.8
  public var green = 0.3
  public var radius = 4
  public var contrast = 0.3
  public var purpleFrom = 250.0
  public var purpleTo = 320.0
  public var greenFrom = 100.0
  public var greenTo = 170.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let operation = AreaOperation(
      .defringe,
      [
        "radius": .integer(radius), "contrast": .number(contrast), "purple": .number(purple),
        "green": .number(green), "purple-from": .number(purpleFrom),
        "purple-to": .number(purpleTo), "green-from": .number(greenFrom),
        "green-to": .number(greenTo),
      ])
    return graph.append(.area(operation), input)
  }
}
