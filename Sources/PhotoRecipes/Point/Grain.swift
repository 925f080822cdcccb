/// Noise like a film's grain, on display-encoded values: strongest in the midtones, the same in all
/// channels.
///
/// `out = in + amount × 4 Y (1 − Y) × noise`, Y the BT.709 luma clamped to 0…1, the noise of mean 0
/// and variance 1. It is fixed to the frame's pixels.
public struct Grain: Sendable, Hashable {
  public var amount: Double
  /// The distance of the lattice's points, in pixels of the frame; at least 1.
  public var size: Double
  /// 0…65535.
  public var seed: Int
  public var placement = Placement.whole
  /// The frame that `placement` refers to, in pixels.
  public var frame = Size(1, 1)
  /// Where in a pixel that stands for several of the frame's the noise is taken, 0…1 from its upper
  /// left corner; nil: each pixel is one of the frame's.
  public var sample: Placement.Point?

  public init(amount: Double, size: Double, seed: Int) {
    self.amount = amount
    self.size = size
    self.seed = seed
  }
}

extension Grain: CustomStringConvertible {
  public var description: String {
    let place = sample.map { " in \($0.x.short),\($0.y.short)" } ?? ""
    return "\(amount.short) size \(size.short) seed \(seed)\(placement)\(place)"
  }
}
