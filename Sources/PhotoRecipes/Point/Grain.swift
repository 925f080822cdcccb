/// Noise like film grain, on display-encoded values: strongest in the midtones, and equal in all
/// channels.
///
/// `out = in + amount × 4 Y (1 − Y) × noise`, where Y is the BT.709 luma clamped to 0…1, and the
/// noise has mean 0 and variance 1. The noise is fixed to the frame's pixels. If the size is a part
/// of the frame, a pixel gets the mean of the grain over its area, so the variance is less than 1.
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

  /// The amount that remains if each pixel has the mean of the grain over its area; the whole amount
  /// if the size is given in pixels.
  ///
  /// The standard deviation of such a mean is about `1 / √(1 + 0.65 / s²)` for a size of s pixels.
  /// From 0.3 pixels on, that of simulated lattices is up to 6 % greater. If grain is rendered on a
  /// photo of four times the size, with the same formula, and then reduced, it is within 11 %.
  public var level: Double {
    guard case .percent = size else { return amount }
    let own = size.pixels(of: frame.longEdge, in: 0...Self.sizes.upperBound)
    return amount * own / (own * own + 0.65).squareRoot()
  }
}

extension Grain: CustomStringConvertible {
  public var description: String {
    let place = sample.map { " in \($0.x.short),\($0.y.short)" } ?? ""
    return "\(amount.short) size \(size) seed \(seed)\(placement)\(place)"
  }
}
