/// Sets which tones become black and white, bends those between, and sets the range they fill.
///
/// `out = outBlack + (outWhite − outBlack) × ((in − black) / (white − black))^(1/gamma)`, odd about
/// the black point; values outside are not clipped.
public struct Levels: Filter {
  public static let name = "levels"
  public static let summary = "Sets the black point, the white point and the middle."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "black", \.black, .number(.fraction, 0...1), identity: 0, "The tone that becomes black."),
    Setting(
      "white", \.white, .number(.fraction, 0...1), identity: 1, "The tone that becomes white."),
    Setting("gamma", \.gamma, .number(.factor, 0.1...10), identity: 1, "Above 1 brightens."),
    Setting(
      "outBlack", \.outBlack, .number(.fraction, 0...1), identity: 0, "The darkest tone made."),
    Setting(
      "outWhite", \.outWhite, .number(.fraction, 0...1), identity: 1, "The brightest tone made."),
    Setting("channel", \.channel, Channel.kind, "The channels to change."),
  ]

  public enum Channel: String, Choice {
    case rgb, red, green, blue
  }

  public var black = 0.0
  public var white = 1.0
  public var gamma = 1.0
  public var outBlack = 0.0
  public var outWhite = 1.0
  public var channel = Channel.rgb

  public init() {}

  public static var example: Self {
    with {
      $0.black = 0.05
      $0.white = 0.9
      $0.gamma = 1.2
    }
  }

  public var contradiction: Problem? {
    if white - black >= 0.001 { return nil }
    return .contradiction(
      "'black' \(black.brief) is not below 'white' \(white.brief)",
      remedy: "keep at least 0.001 between them")
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let slope = 1 / (white - black)
    let curves: [Curve] = [
      .linear(slope: slope, offset: -black * slope), .power(1 / gamma),
      .linear(slope: outWhite - outBlack, offset: outBlack),
    ]
    func on(_ channels: Channel...) -> [Curve] { channels.contains(channel) ? curves : [] }
    let instruction = PointProgram.Instruction.channels(
      red: on(.rgb, .red), green: on(.rgb, .green), blue: on(.rgb, .blue))
    return graph.append([instruction], in: Self.space, after: input)
  }
}
