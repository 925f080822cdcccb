/// A luma unsharp mask.
public struct Unsharp: Sendable, Hashable, CustomStringConvertible {
  /// Pixels.
  public var sigma: Double
  public var amount: Double
  /// Differences of luma up to this, 0…1, are left alone.
  public var threshold: Double

  public var description: String {
    "σ \(sigma.short) amount \(amount.short) threshold \(threshold.short)"
  }
}
