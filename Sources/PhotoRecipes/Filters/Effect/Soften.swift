/// Adds a soft glow that keeps the detail: Michael Orton's sandwich of a sharp and a blurred slide,
/// both overexposed.
public struct Soften: Filter {
  public static let name = "soften"
  public static let summary = "Adds a soft glow over the photo and keeps detail."
  public static let category = FilterCategory.effect
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.fraction, 0...1), identity: 0, "The strength of the effect."),
    Setting(
      "radius", \.radius, .extent(radii), "The standard deviation of the blur."
    ).usually(1...60),
  ]

  static let radii = 0.3...250.0

  public var amount = 0.5
  public var radius = Extent.pixels(12)

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let operation = AreaOperation(
      .soften, ["amount": .number(amount), "sigma": radius.argument(in: Self.radii)])
    return graph.append(.area(operation), input)
  }
}
