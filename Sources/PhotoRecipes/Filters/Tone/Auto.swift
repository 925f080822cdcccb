/// Corrects the colour of the light, the exposure and the range of tones, as one step.
///
/// The step consists of `autoWhiteBalance`, `autoExposure` and `autoLevels`. The last has half of
/// the strength, because the narrow range of tones of a foggy or dark scene belongs to the scene. It
/// hardly lowers the mean tone of a bright scene, such as snow or paper (see `Stretch`).
public struct Auto: Filter {
  public static let name = "auto"
  public static let summary = "Corrects colours, exposure and range of tones automatically."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.linear
  public static let revision = 7
  public static let settings: [Setting<Self>] = [
    Setting(
      "strength", \.strength, .number(.fraction, 0...1), identity: 0,
      "The fraction of each correction that is applied.")
  ]

  public var strength = 1.0

  public init() {}

  private static let levelsPart = 0.5

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let steps: [any Filter] = [
      AutoWhiteBalance.with { $0.strength = strength },
      AutoExposure.with { $0.strength = strength },
      AutoLevels.with {
        $0.strength = Self.levelsPart * strength
        $0.keepsBrightness = true
      },
    ]
    return steps.reduce(input) { $1.append(to: &graph, after: $0) }
  }
}
