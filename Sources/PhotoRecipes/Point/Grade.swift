/// Gains and offsets of R, G and B that depend on one value, such as the pixel's luma.
///
/// `t = clamp(weights · (R, G, B))`; `out = gain(t) × in + offset(t)`.
public struct Grade: Sendable, Hashable {
  public struct Sample: Sendable, Hashable {
    public var gain: ColourMatrix.Vector
    public var offset: ColourMatrix.Vector

    public init(gain: ColourMatrix.Vector, offset: ColourMatrix.Vector) {
      self.gain = gain
      self.offset = offset
    }
  }

  public var weights: ColourMatrix.Vector
  /// The gains and offsets at even steps of t over 0…1, interpolated linearly; at least two.
  public var samples: [Sample]

  /// The weights of BT.709 luma, for display-encoded values.
  public static let luma = ColourMatrix.Vector(0.2126, 0.7152, 0.0722)

  public init(weights: ColourMatrix.Vector = luma, samples: [Sample]) {
    self.weights = weights
    self.samples = samples
  }

  /// Creates a grade from `count` + 1 samples of a function of t.
  public init(
    weights: ColourMatrix.Vector = luma, count: Int = 1024, _ sample: (Double) -> Sample
  ) {
    self.init(weights: weights, samples: (0...count).map { sample(Double($0) / Double(count)) })
  }

  public func callAsFunction(_ pixel: ColourMatrix.Vector) -> ColourMatrix.Vector {
    let last = samples.count - 1
    let position = min(1, max(0, (weights * pixel).sum())) * Double(last)
    let index = min(Int(position), last - 1)
    let part = position - Double(index)
    let (a, b) = (samples[index], samples[index + 1])
    return (a.gain + part * (b.gain - a.gain)) * pixel + a.offset + part * (b.offset - a.offset)
  }
}

extension Grade: CustomStringConvertible {
  public var description: String {
    "by \(weights.x.short) \(weights.y.short) \(weights.z.short), \(samples.count) samples"
  }
}
