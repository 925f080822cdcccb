/// Brightens or darkens shadows, and keeps the highlights.
///
/// In OKLab, L, a and b are multiplied by `1 + 0.9 × amount × (1 − L)³`: a change of exposure that
/// depends on lightness and keeps hue and saturation. L is clamped to 0…1 in the factor.
public struct Light: Filter {
  public static let name = "light"
  public static let summary = "Brightens or darkens shadows, and keeps the highlights."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.oklab
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...2), identity: 0,
      "The strength, like brilliance in Photos; +1 nearly doubles the lightness of the deepest"
        + " shadows."
    )
  ]

  public var amount = 0.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let grade = Grade(weights: OKLab.lightness) { lightness in
      let shadow = 1 - lightness
      return Grade.Sample(
        gain: .init(repeating: 1 + 0.9 * amount * shadow * shadow * shadow), offset: .zero)
    }
    return graph.append([.colour(.grade(grade))], in: Self.space, after: input)
  }
}
