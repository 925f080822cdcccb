/// Noise like film grain, on display-encoded values: strongest in the midtones, and equal in all
/// channels.
///
/// `out = in + amount × 4 Y (1 − Y) × noise`, where Y is the BT.709 luma clamped to 0…1, and the
/// noise has mean 0 and variance 1. The noise is fixed to the frame's pixels.
public struct Grain: Sendable, Hashable {
  public var amount: Double
  /// The distance between points of the noise lattice, at least one pixel of the frame.
  public var size: Extent
  /// The seed of the noise, 0…65535.
  public var seed: Int
  public var placement = Placement.whole
  /// The size in pixels of the frame to which `placement` refers.
  public var frame = Size(1, 1)
  /// The position of the noise sample within a pixel that represents several pixels of the frame,
  /// 0…1 from its upper left corner; nil if each pixel is one pixel of the frame.
  public var sample: Placement.Point?

  public init(amount: Double, size: Extent, seed: Int) {
    self.amount = amount
    self.size = size
    self.seed = seed
  }

  /// The range of sizes in pixels.
  static let sizes = 1.0...50

  /// The size in pixels of the frame.
  public var pixels: Double { size.pixels(of: frame.longEdge, in: Self.sizes) }
}

extension Grain: CustomStringConvertible {
  public var description: String {
    let place = sample.map { " in \($0.x.short),\($0.y.short)" } ?? ""
    return "\(amount.short) size \(size) seed \(seed)\(placement)\(place)"
  }
}
