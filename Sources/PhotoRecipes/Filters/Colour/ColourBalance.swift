import Glibc

/// Grades shadows, midtones and highlights, each by a colour and a level: lift, gamma and gain.
///
/// Each display-encoded channel becomes `lift + (gain − lift) × in^(2^−v)`, with the v of the
/// midtones. The power is odd-symmetric about 0. Black becomes lift, and white becomes gain.
///
/// - v: the vector of a range, `strength × (c − luma of c) + level`, where c is the wheel's colour
///   at the hue. Strength alone therefore keeps the luma of greys.
/// - lift: `0.2 v`, with the v of the shadows.
/// - gain: `1 + 0.4 v`, with the v of the highlights.
public struct ColourBalance: Filter {
  public static let name = "colourBalance"
  public static let summary = "Tints shadows, midtones and highlights, each with its own colour."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] =
    settings("shadows", \.shadows.hue, \.shadows.strength, \.shadows.level)
    + settings("midtones", \.midtones.hue, \.midtones.strength, \.midtones.level)
    + settings("highlights", \.highlights.hue, \.highlights.strength, \.highlights.level)

  /// The change of one range of tones.
  public struct Change: Sendable, Hashable {
    /// The hue in degrees of the HSV wheel, 0…360.
    public var hue = 0.0
    /// The strength of the colour, 0…1.
    public var strength = 0.0
    /// The level, −1…1.
    public var level = 0.0

    var vector: ColourMatrix.Vector {
      let colour = ColourWheel.colour(hue)
      return strength * (colour - (Grade.luma * colour).sum()) + level
    }
  }

  public var shadows = Change()
  public var midtones = Change()
  public var highlights = Change()

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let lift = 0.2 * shadows.vector
    let gain = 1 + 0.4 * highlights.vector
    let bend = midtones.vector
    func curves(_ channel: Int) -> [Curve] {
      [
        .power(exp2(-bend[channel])),
        .linear(slope: gain[channel] - lift[channel], offset: lift[channel]),
      ]
    }
    return graph.append(
      [.channels(red: curves(0), green: curves(1), blue: curves(2))], in: Self.space, after: input)
  }

  private static func settings(
    _ range: String, _ hue: Setting<Self>.Path<Double>, _ strength: Setting<Self>.Path<Double>,
    _ level: Setting<Self>.Path<Double>
  ) -> [Setting<Self>] {
    [
      Setting(
        "\(range)Hue", hue, .number(.degrees, 0...360),
        "The colour added: 0 is red, 60 yellow, 120 green, 240 blue."),
      Setting(
        "\(range)Strength", strength, .number(.fraction, 0...1), identity: 0,
        "The strength of the colour in the \(range)."),
      Setting(
        "\(range)Level", level, .number(.strength, -1...1), identity: 0,
        "Positive brightens the \(range)."),
    ]
  }
}
