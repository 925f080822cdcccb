import Foundation

/// Strengthens or softens fine structure, up to a few thousandths of the frame, but not edges.
///
/// As `clarity`, on a finer base, by `2.5^(amount × m)`.
public struct Texture: LocalToneFilter {
  public static let name = "texture"
  public static let summary = "Strengthens or softens fine structure."
  public static let category = FilterCategory.detail
  public static let revision = 4
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "Above 0 strengthens fine structure, below 0 softens it.")
  ]

  static let base = LocalBase.fine

  public var amount = 0.0

  public init() {}

  func sample(_ base: Double) -> LocalTone.Sample {
    let side = (2 * base - 1) * (2 * base - 1)
    let gain = pow(2.5, amount * (1 - side * side))
    return LocalTone.Sample(tone: base, spared: gain)
  }
}
