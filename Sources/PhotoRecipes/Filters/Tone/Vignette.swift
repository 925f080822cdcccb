/// Darkens or brightens the photo towards its corners.
///
/// The filter applies a gain of linear light on ellipses in the shape of the frame; see
/// `RadialGain`. The gain begins at `radius × (1 − falloff)` and ends at `radius + (1 − radius) ×
/// falloff` of the distance from the centre to a corner.
public struct Vignette: Filter {
  public static let name = "vignette"
  public static let summary = "Darkens or brightens the photo towards its corners."
  public static let category = FilterCategory.effect
  public static let space = WorkingSpace.linear
  public static let settings: [Setting<Self>] = [
    Setting(
      "intensity", \.intensity, .number(.strength, -1...1), identity: 0,
      "The change of the light in the corners; −1 makes them black, +1 doubles the light."),
    Setting(
      "radius", \.radius, .number(.fraction, 0...1),
      "The position of the transition: 0 is the centre, 1 a corner."),
    Setting(
      "falloff", \.falloff, .number(.fraction, 0...1),
      "The softness of the transition; 0 is a hard edge at the radius."),
  ]

  public var intensity = 0.0
  public var radius = 0.5
  public var falloff = 0.7

  public init() {}

  public static var example: Self { with { $0.intensity = -0.7 } }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let inner = radius * (1 - falloff)
    let outer = max(inner + 0.0001, radius + (1 - radius) * falloff)
    let gain = RadialGain(strength: intensity, inner: inner, outer: outer)
    return graph.append([.radial(gain)], in: Self.space, after: input)
  }
}
