import Glibc

/// Strengthens or softens fine structure, up to a few thousandths of the frame, but not edges.
///
/// The filter works like `clarity`, on a finer base, with the factor `2.5^(amount × m)`. Noise in a
/// smooth sky or in skin is not strengthened, but it is softened with the detail.
public struct Texture: LocalToneFilter {
  public static let name = "texture"
  public static let summary = "Strengthens or softens fine structure."
  public static let category = FilterCategory.detail
  public static let revision = 5
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "Above 0 strengthens fine structure, below 0 softens it.")
  ]

  public static let viewEdge = LocalBase.fine.viewEdge

  public var amount = 0.0

  public init() {}

  var base: LocalBase { amount < 0 ? .fine.countingNoise : .fine }

  func sample(_ base: Double) -> LocalTone.Sample {
    let side = (2 * base - 1) * (2 * base - 1)
    let gain = pow(2.5, amount * (1 - side * side))
    return LocalTone.Sample(tone: base, darker: gain, brighter: gain)
  }
}
