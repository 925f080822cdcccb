/// Keeps a band sharp and blurs the areas above and below it, like a tilted lens; landscapes look
/// like models.
///
/// Outside the band the standard deviation of the blur grows by a smooth step over `falloff`. The
/// filter computes several blurs, each with twice the standard deviation of the previous one. Each
/// pixel is a mix of two of them, with weights that depend on the variance required at the pixel,
/// so that no sharp detail remains visible.
public struct TiltShift: Filter {
  public static let name = "tiltShift"
  public static let summary = "Blurs the photo except for a band."
  public static let category = FilterCategory.detail
  public static let space = WorkingSpace.encoded
  public static let revision = 2
  public static let settings: [Setting<Self>] = [
    Setting(
      "radius", \.radius, .extent(radii), identity: .pixels(0),
      "The standard deviation of the full blur; below 1 there is no effect."
    ).usually(0...40),
    Setting(
      "x", \.x, .number(.fraction, 0...1), "The centre of the band, as a fraction from the left."),
    Setting(
      "y", \.y, .number(.fraction, 0...1), "The centre of the band, as a fraction from the top."),
    Setting(
      "angle", \.angle, .number(.degrees, -180...180),
      "The band's direction, counterclockwise from the horizontal."),
    Setting(
      "width", \.width, .number(.fraction, 0...2),
      "The band's width, as a fraction of the frame's shorter edge."
    ).usually(0...1),
    Setting(
      "falloff", \.falloff, .number(.fraction, 0.001...2),
      "The width of the transition from sharp to blurred, as a fraction of the shorter edge."
    ).usually(0.001...1),
  ]

  private static let radii = 0.0...250

  public var radius = Extent.pixels(12)
  public var x = 0.5
  public var y = 0.5
  public var angle = 0.0
  public var width = 0.2
  public var falloff = 0.25

  public init() {}

  public var isIdentity: Bool { radius.isBelow(1) }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let operation = AreaOperation(
      .tilt,
      [
        "sigma": radius.argument(in: Self.radii), "x": .number(x), "y": .number(y),
        "angle": .number(angle),
        "width": .number(width), "falloff": .number(falloff),
      ])
    return graph.append(.area(operation), input)
  }
}
