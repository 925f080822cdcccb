public import Notation

/// Computes each channel from all three channels.
///
/// In linear light, `red = redRed R + redGreen G + redBlue B + redConstant`, and likewise for green
/// and blue. With `preserveLuminosity` the three factors of a channel are divided by their sum:
/// greys then change only by the constants.
public struct ChannelMixer: Filter {
  public static let name = "channelMixer"
  public static let summary = "Mixes each colour channel from all three channels."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.linear
  public static let settings: [Setting<Self>] =
    settings("red", \.red.red, \.red.green, \.red.blue, \.red.constant, identity: [1, 0, 0])
    + settings(
      "green", \.green.red, \.green.green, \.green.blue, \.green.constant, identity: [0, 1, 0])
    + settings("blue", \.blue.red, \.blue.green, \.blue.blue, \.blue.constant, identity: [0, 0, 1])
    + [
      Setting(
        "preserveLuminosity", \.preservesLuminosity, .flag,
        "Scales each channel's factors to the sum 1.")
    ]

  /// The weights of the three channels in one output channel.
  public struct Mixture: Sendable, Hashable {
    public var red = 0.0
    public var green = 0.0
    public var blue = 0.0
    public var constant = 0.0

    package init(
      red: Double = 0, green: Double = 0, blue: Double = 0, constant: Double = 0
    ) {
      self.red = red
      self.green = green
      self.blue = blue
      self.constant = constant
    }

    var factors: ColourMatrix.Vector { .init(red, green, blue) }
  }

  public var red = Mixture(red: 1)
  public var green = Mixture(green: 1)
  public var blue = Mixture(blue: 1)
  public var preservesLuminosity = false

  public init() {}

  public static var example: Self {
    with {
      $0.red = Mixture(red: 0.7, green: 0.3)
      $0.blue = Mixture(green: 0.4, blue: 0.6)
    }
  }

  public var contradiction: Problem? {
    guard preservesLuminosity else { return nil }
    for (name, mixture) in [("red", red), ("green", green), ("blue", blue)] {
      let sum = mixture.factors.sum()
      if sum >= 0.1 { continue }
      return .contradiction(
        "the factors of '\(name)' add up to \(sum.short)",
        remedy: "make their sum 0.1 or more, or remove 'preserveLuminosity'")
    }
    return nil
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let rows = [red, green, blue].map { mixture in
      preservesLuminosity ? mixture.factors / mixture.factors.sum() : mixture.factors
    }
    let matrix = ColourMatrix(
      rows[0], rows[1], rows[2], offset: .init(red.constant, green.constant, blue.constant))
    return graph.append([.matrix(matrix)], in: Self.space, after: input)
  }

  private static func settings(
    _ channel: String, _ red: Setting<Self>.Path<Double>, _ green: Setting<Self>.Path<Double>,
    _ blue: Setting<Self>.Path<Double>, _ constant: Setting<Self>.Path<Double>,
    identity: [Double]
  ) -> [Setting<Self>] {
    let parts = [("Red", red), ("Green", green), ("Blue", blue)]
    return zip(parts, identity).map { part, neutral in
      Setting(
        channel + part.0, part.1, .number(.factor, -2...2), identity: neutral,
        "The factor of \(part.0.lowercased()) light in \(channel).")
    } + [
      Setting(
        "\(channel)Constant", constant, .number(.fraction, -1...1), identity: 0,
        "An offset that is added to \(channel), in linear light.")
    ]
  }
}
