/// Spreads the light of bright parts over their surroundings, in linear light.
///
/// Pixels with a display-encoded luma above `threshold` are blurred by a Gaussian; their weights
/// grow from 0 at the threshold to the greatest at white. The blurred pixels are blended over the
/// photo in screen mode, which clips no value.
public struct Bloom: Filter {
  public static let name = "bloom"
  public static let summary = "Adds a glow around bright areas."
  public static let category = FilterCategory.effect
  public static let space = WorkingSpace.linear
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.factor, 0...4), identity: 0, "The strength of the glow."
    ).usually(0...1.5),
    Setting(
      "radius", \.radius, .extent(radii), "The standard deviation of the blur."
    ).usually(1...80),
    Setting(
      "threshold", \.threshold, .number(.fraction, 0...0.99), "The luma from which areas glow."),
  ]

  static let radii = 0.3...250.0

  public var amount = 0.5
  public var radius = Extent.pixels(20)
  public var threshold = 0.7

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let operation = AreaOperation(
      .bloom,
      [
        "amount": .number(amount), "sigma": radius.argument(in: Self.radii),
        "threshold": .number(threshold),
      ])
    return graph.append(.area(operation), input)
  }
}
