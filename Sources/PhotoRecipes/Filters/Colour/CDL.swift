/// Applies a colour decision (ASC CDL): slope, offset and power of each channel, and saturation.
///
/// In the given space, `out = (in × slope + offset)^power` for each channel, then `luma +
/// saturation × (out − luma)` with the luma `0.2126 R + 0.7152 G + 0.0722 B`. Values are not
/// clipped between steps, unlike in the specification; the power is odd-symmetric about 0.
/// - Source: ASC Color Decision List (ASC CDL) Transfer Functions and Interchange Syntax 1.2, 2009.
public struct CDL: Filter {
  public static let name = "cdl"
  public static let summary =
    "Applies an ASC colour decision: slope, offset, power and saturation."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] =
    settings(
      "slope", \.slope.x, \.slope.y, \.slope.z, .number(.factor, 0...10), identity: 1,
      "The factor of")
    + settings(
      "offset", \.offset.x, \.offset.y, \.offset.z, .number(.fraction, -1...1), identity: 0,
      "The number that is added to")
    + settings(
      "power", \.power.x, \.power.y, \.power.z, .number(.factor, 0.1...10), identity: 1,
      "The exponent of")
    + [
      Setting(
        "saturation", \.saturation, .number(.factor, 0...4), identity: 1,
        "The factor of the distance from the luma; 0 is grey."),
      Setting(
        "space", \.decisionSpace, GradingSpace.kind,
        "The colour space for which the decision was made."),
    ]

  /// The factors of red, green and blue.
  public var slope = SIMD3(1.0, 1, 1)
  public var offset = SIMD3(0.0, 0, 0)
  public var power = SIMD3(1.0, 1, 1)
  public var saturation = 1.0
  public var decisionSpace = GradingSpace.srgb

  public init() {}

  public static var example: Self {
    with {
      $0.slope = SIMD3(1.15, 1.05, 0.9)
      $0.offset = SIMD3(-0.04, -0.02, 0.03)
      $0.power = SIMD3(1, 1.02, 1.1)
      $0.saturation = 0.9
    }
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    func curves(_ channel: Int) -> [Curve] {
      [.linear(slope: slope[channel], offset: offset[channel]), .power(power[channel])]
    }
    let luma = (1 - saturation) * Grade.luma
    let mixture = ColourMatrix(
      luma + saturation * SIMD3(1, 0, 0), luma + saturation * SIMD3(0, 1, 0),
      luma + saturation * SIMD3(0, 0, 1))
    let decision: [PointProgram.Instruction] = [
      .channels(red: curves(0), green: curves(1), blue: curves(2)), .matrix(mixture),
    ]
    return graph.append(
      decisionSpace.entry + decision + decisionSpace.exit, in: Self.space, after: input)
  }

  private static func settings(
    _ name: String, _ red: Setting<Self>.Path<Double>, _ green: Setting<Self>.Path<Double>,
    _ blue: Setting<Self>.Path<Double>, _ kind: SettingKind, identity: Double, _ summary: String
  ) -> [Setting<Self>] {
    [("Red", red), ("Green", green), ("Blue", blue)].map { channel, path in
      Setting(name + channel, path, kind, identity: identity, "\(summary) \(channel.lowercased()).")
    }
  }
}
