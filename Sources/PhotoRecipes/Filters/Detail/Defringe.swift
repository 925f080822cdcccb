/// Removes the purple and green fringes that lenses leave along edges of high contrast.
///
/// - Colour: the range of a pixel's channels, times the weight of its hue. The weight is 1 within
///   the given hues, and falls to 0 over 15° on either side.
/// - Fringe: a narrow coloured area. Its share is the colour minus the morphological opening of the
///   colour by a square of `radius`, divided by the colour. Wider areas, such as flowers, have the
///   share 0.
/// - Leaves: a meadow has many narrow areas beside each other, which are not fringes. The share is
///   multiplied by 1 minus a smoothstep, from 0.35 to 0.7, of the ratio of the mean colour within
///   twice the radius to the pixel's colour.
/// - Strength: the share, times the amount, times a smoothstep of the range of the luma within the
///   square, from 0.5 × `contrast` to 1.5 × `contrast`.
///
/// The chroma of a pixel moves by the strength towards the mean of the chroma around it. The
/// luminance, in linear light, does not change.
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
