/// Increases or decreases contrast around middle grey along a logistic S curve; black and white
/// stay.
///
/// With `k = 8 × amount`, `out = ½ + tanh(k(in − ½)/2) / (2 tanh(k/4))`. A negative amount is the
/// inverse of this function with `k = 5 × |amount|`; a steeper inverse would separate near-white
/// tones from white. The curve is applied to the greatest and the least channel, and the middle one
/// keeps its relative place between them, so that hues stay.
/// - Source: Adobe, DNG Specification 1.7, ProfileToneCurve, and the reference code of the DNG SDK,
///   for the treatment of the middle channel.
public struct Contrast: Filter {
  public static let name = "contrast"
  public static let summary = "Increases or decreases the contrast around middle grey."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let revision = 3
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "Contrast; +1 doubles the slope at middle grey, -1 reduces it to two thirds.")
  ]

  public var amount = 0.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append([.tone([.sigmoid((amount > 0 ? 8 : 5) * amount)])], in: Self.space, after: input)
  }
}
