/// Gives the photo the hue and the chroma of one colour; lightness does not change, nor do black
/// and white.
///
/// In OKLab, (a, b) moves by the fraction `strength` towards `1 − (2L − 1)⁴` times the (a, b) of
/// the colour; L is clamped to 0…1 in this factor.
public struct Tint: Filter {
  public static let name = "tint"
  public static let summary = "Gives the photo the hue and the chroma of one colour."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.oklab
  public static let settings: [Setting<Self>] = [
    Setting("colour", \.colour, .colour, "The colour; its lightness and alpha are ignored."),
    Setting(
      "strength", \.strength, .number(.fraction, 0...1), identity: 0,
      "The strength of the effect; 0 keeps the photo's colours, 1 replaces all of them."),
  ]

  public var colour = Colour(red: 0xC0, green: 0x80, blue: 0x40)
  public var strength = 0.5

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let tone = OKLab.lab(fromEncoded: colour.encoded)
    let grade = Grade(weights: OKLab.lightness) { lightness in
      let weight = strength * Toning.envelope(lightness)
      return Grade.Sample(
        gain: .init(1, 1 - strength, 1 - strength),
        offset: .init(0, weight * tone.y, weight * tone.z))
    }
    return graph.append([.colour(.grade(grade))], in: Self.space, after: input)
  }
}
