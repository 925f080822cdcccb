/// Sharpens a picture at its final size for the medium on which it is viewed.
///
/// The radius of the unsharp mask is derived from the resolution of the eye.
///
/// If the viewing distance is the picture's diagonal, one minute of arc covers diagonal ÷ 3438
/// pixels. Contrast is lost at about that size, so the standard deviation is a fraction of it, at
/// least half a pixel: half a minute on screens and glossy paper, three quarters on matte paper,
/// because its ink spreads. The amounts are 0.5 for screens, 0.8 for glossy and 1.2 for matte
/// paper. Halos are limited more on screens, because single pixels are visible there. The amounts
/// and the limits have no external source.
public struct OutputSharpen: Filter {
  public enum Medium: String, Choice {
    case screen, glossy, matte
  }

  public static let name = "outputSharpen"
  public static let summary =
    "Sharpens for the screen or for paper, depending on the size of the picture."
  public static let category = FilterCategory.detail
  public static let space = WorkingSpace.encoded
  public static let revision = 2
  public static let settings: [Setting<Self>] = [
    Setting(
      "strength", \.strength, .number(.factor, 0...3), identity: 0,
      "The strength, as a factor of the usual amount."),
    Setting("medium", \.medium, Medium.kind, "The medium on which the picture will be viewed."),
  ]

  public var strength = 1.0
  public var medium = Medium.screen

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let (amount, minutes, halo) =
      switch medium {
      case .screen: (0.5, 0.5, 0.5)
      case .glossy: (0.8, 0.5, 0.25)
      case .matte: (1.2, 0.75, 0.25)
      }
    let mask = AreaOperation(
      .unsharp,
      [
        "sigma": .arc(minutes: minutes, least: 0.5), "amount": .number(strength * amount),
        "threshold": .number(0.004), "halo": .number(halo),
      ])
    return graph.append(.area(mask), input)
  }
}
