public import Notation

/// Sets the tones that become black and white, the tones between them, and the output range.
///
/// `out = outBlack + (outWhite − outBlack) × f(((in − black) / (white − black))^(1/gamma))`,
/// odd-symmetric about the black point. `f` is the monotone cubic (see `MonotoneSpline`) through
/// black, three tones with their target values, and white; at the defaults it has no effect.
///
/// Tones below `black` and above `white` are not clipped, unless `outBlack` or `outWhite` limits the
/// result: all channels together are then limited to white with the hue of the colour.
public struct Levels: Filter {
  public static let name = "levels"
  public static let summary = "Sets the black point, the white point and the middle tone."
  public static let revision = 2
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "black", \.black, .number(.fraction, 0...1), identity: 0, "The tone that becomes black."),
    Setting(
      "white", \.white, .number(.fraction, 0...1), identity: 1, "The tone that becomes white."),
    Setting("gamma", \.gamma, .number(.factor, 0.1...10), identity: 1, "Above 1 brightens.")
      .usually(0.3...3),
    Setting(
      "outBlack", \.outBlack, .number(.fraction, 0...1), identity: 0,
      "The darkest tone of the result."),
    Setting(
      "outWhite", \.outWhite, .number(.fraction, 0...1), identity: 1,
      "The brightest tone of the result."),
    Setting(
      "shadow", \.shadow, .number(.fraction, 0...1), "A dark tone between black and white."),
    Setting(
      "outShadow", \.outShadow, .number(.fraction, 0...1),
      "The new value of the dark tone; 0 is black, 1 is white."),
    Setting("middle", \.middle, .number(.fraction, 0...1), "A middle tone."),
    Setting(
      "outMiddle", \.outMiddle, .number(.fraction, 0...1), "The new value of the middle tone."),
    Setting("highlight", \.highlight, .number(.fraction, 0...1), "A bright tone."),
    Setting(
      "outHighlight", \.outHighlight, .number(.fraction, 0...1), "The new value of the bright tone."
    ),
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
  public var shadow = 0.25
  public var outShadow = 0.25
  public var middle = 0.5
  public var outMiddle = 0.5
  public var highlight = 0.75
  public var outHighlight = 0.75
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
    let tones = [("black", black), ("white", white)]
    let between = [("shadow", shadow), ("middle", middle), ("highlight", highlight)]
    for tones in [tones, between] {
      for (low, high) in zip(tones, tones.dropFirst()) where high.1 - low.1 < 0.001 {
        return .contradiction(
          "'\(low.0)' \(low.1.brief) is not below '\(high.0)' \(high.1.brief)",
          remedy: "keep at least 0.001 between them")
      }
    }
    if shadow >= 0.001 && highlight <= 0.999 { return nil }
    return .contradiction(
      "'shadow' or 'highlight' is black or white",
      remedy: "use 'black' and 'white' for these tones")
  }

  public var isIdentity: Bool {
    [black, outBlack] == [0, 0] && [white, outWhite, gamma] == [1, 1, 1] && bend.isEmpty
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let slope = 1 / (white - black)
    let entry = [Curve.linear(slope: slope, offset: -black * slope), .power(1 / gamma)] + bend
    let low: [Curve] = outBlack > 0 ? [.nonNegative] : []
    let exit = Curve.linear(slope: outWhite - outBlack, offset: outBlack)
    let program: [PointProgram.Instruction]
    if outWhite == 1 {
      program = [changing(entry + low + [exit])]
    } else if channel == .rgb {
      program = [
        changing(entry + low), .colour(.rolloff(Rolloff(peak: 1))), changing([exit]),
      ]
    } else {
      let negative = Curve.linear(slope: -1, offset: 1)
      program = [changing(entry + low + [negative, .nonNegative, negative, exit])]
    }
    return graph.append(program, in: Self.space, after: input)
  }

  /// The curves on the chosen channels.
  private func changing(_ curves: [Curve]) -> PointProgram.Instruction {
    func on(_ own: Channel) -> [Curve] { [.rgb, own].contains(channel) ? curves : [] }
    return .channels(red: on(.red), green: on(.green), blue: on(.blue))
  }

  /// The monotone cubic between black and white; empty if it has no effect.
  private var bend: [Curve] {
    let tones = [(shadow, outShadow), (middle, outMiddle), (highlight, outHighlight)]
    if tones.allSatisfy({ $0 == $1 }) { return [] }
    let points = ([(0, 0)] + tones + [(1, 1)]).map { CurvePoints.Point(x: $0.0, y: $0.1) }
    return [.spline(MonotoneSpline(points))]
  }
}
