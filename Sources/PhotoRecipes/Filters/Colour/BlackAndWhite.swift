import Glibc
public import Notation

/// Converts colours to grey by a weighted sum of their linear light, like film behind a colour
/// filter.
///
/// `grey = (red R + green G + blue B) / (red + green + blue)` in linear light, then `out = in +
/// intensity × (grey − in)`. The default weights are the weights of luminance. A lens filter
/// multiplies each weight by `1 − strength + strength × c`, where c is the same channel of the
/// colour wheel at `hue`.
///
/// Before the grey is mixed with the photo, three steps change its display-encoded value: it
/// becomes `grey^(2^−neutral)` (odd-symmetric about 0), the filter `contrast` is applied with the
/// amount `tone`, and the filter `grain` with the amount `grain`.
/// - Source: IEC 61966-2-1:1999, the Y row of its RGB → XYZ matrix.
public struct BlackAndWhite: Filter {
  public static let name = "blackAndWhite"
  public static let summary = "Converts the photo to greyscale, with a weight for each colour."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.linear
  public static let settings: [Setting<Self>] = [
    Setting(
      "intensity", \.intensity, .number(.fraction, 0...1), identity: 0,
      "The strength of the effect; 0 keeps the colours."),
    Setting("red", \.red, .number(.factor, -2...3), "The weight of red light."),
    Setting("green", \.green, .number(.factor, -2...3), "The weight of green light."),
    Setting("blue", \.blue, .number(.factor, -2...3), "The weight of blue light."),
    Setting(
      "hue", \.hue, .number(.degrees, 0...360),
      "The hue of a colour filter in front of the lens: 0 is red, 60 yellow, 120 green, 240 blue."),
    Setting(
      "strength", \.strength, .number(.fraction, 0...1),
      "How strongly the colour filter darkens other colours."),
    Setting(
      "neutral", \.neutral, .number(.strength, -1...1), "Positive brightens the middle greys."),
    Setting(
      "tone", \.tone, .number(.strength, -1...1), "Positive increases the contrast of the greys."),
    Setting("grain", \.grain, .number(.strength, 0...1), "The strength of film grain."),
  ]

  public var intensity = 1.0
  public var red = 0.2126
  public var green = 0.7152
  public var blue = 0.0722
  public var hue = 0.0
  public var strength = 0.0
  public var neutral = 0.0
  public var tone = 0.0
  public var grain = 0.0

  public init() {}

  /// The weights of the channels after the colour filter in front of the lens.
  private var weights: ColourMatrix.Vector {
    let held = strength * (ColourMatrix.Vector(repeating: 1) - ColourWheel.colour(hue))
    return ColourMatrix.Vector(red, green, blue) * (1 - held)
  }

  public var contradiction: Problem? {
    let sum = red + green + blue
    if sum < 0.1 {
      return .contradiction(
        "the weights 'red', 'green' and 'blue' add up to \(sum.short)",
        remedy: "make their sum 0.1 or more; phbatch scales the sum to 1")
    }
    if weights.sum() >= 0.01 { return nil }
    return .contradiction(
      "with the colour filter of 'hue' \(hue.brief), the weights add up to only"
        + " \(weights.sum().short)",
      remedy: "use another hue, less 'strength', or weights above 0")
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let grey = weights / weights.sum()
    if (neutral, tone, grain) == (0, 0, 0) {
      return graph.append([.matrix(mix(grey, intensity))], in: Self.space, after: input)
    }
    let film = [.matrix(mix(grey, 1)), .curve(.encode)] + printed + [.curve(.decode)]
    let part: [PointProgram.Instruction] =
      intensity == 1 ? film : [.save] + film + [.mix(opacity: intensity, isMasked: false)]
    return graph.append(part, in: Self.space, after: input)
  }

  /// The matrix that mixes the photo with its grey; `part` is the fraction of grey, 0…1.
  private func mix(_ grey: ColourMatrix.Vector, _ part: Double) -> ColourMatrix {
    let rest = ColourMatrix.diagonal(.init(repeating: 1 - part)).rows
    return ColourMatrix(rest[0] + grey * part, rest[1] + grey * part, rest[2] + grey * part)
  }

  /// The instructions that change the display-encoded grey: its midtones, its contrast and its
  /// grain.
  private var printed: [PointProgram.Instruction] {
    var instructions: [PointProgram.Instruction] = []
    if neutral != 0 { instructions.append(.curve(.power(exp2(-neutral)))) }
    if tone != 0 { instructions.append(.curve(.sigmoid((tone > 0 ? 8 : 5) * tone))) }
    if grain > 0 {
      let deviation = grain * GrainFilter.deviation
      instructions.append(.grain(Grain(amount: deviation, size: .pixels(1.5), seed: 0)))
    }
    return instructions
  }
}
