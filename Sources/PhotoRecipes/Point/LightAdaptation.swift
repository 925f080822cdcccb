/// An adaptation of linear light to another white, by which clipped white stays white.
///
/// The colour x becomes `y = matrix × x`. A clipped channel had more light than its value says, so
/// it may not fall below the other channels. For each channel c, `y_c + w_c × max(0, t − y_c)`:
///
/// - w: how certainly the channel of x is clipped: 0 up to `clippedFrom`, 1 from `clippedTo` on,
///   linear between.
/// - t: the mean of the channels of y that are not clipped, `Σ (1 − w) y ÷ Σ (1 − w)`. As the least
///   w approaches 1, t becomes the greatest channel: `t + w (max y − t)`.
public struct LightAdaptation: Sendable, Hashable {
  /// The change of linear RGB, without offsets.
  public let matrix: ColourMatrix

  /// The linear light from which on a channel may be clipped, and that from which on it is certain;
  /// display-encoded, 0.9 and 0.985.
  public static let clippedFrom = Curve.decode(0.9)
  public static let clippedTo = Curve.decode(0.985)

  /// Applies the change to a colour in linear light.
  public func callAsFunction(_ colour: ColourMatrix.Vector) -> ColourMatrix.Vector {
    let light = matrix(colour)
    let clipped = ((colour - Self.clippedFrom) / (Self.clippedTo - Self.clippedFrom))
      .clamped(lowerBound: .zero, upperBound: .one)
    let open = 1 - clipped
    let mean = open.sum() > 0 ? (open * light).sum() / open.sum() : light.max()
    let least = mean + clipped.min() * (light.max() - mean)
    return light + clipped * pointwiseMax(.zero, least - light)
  }
}

extension LightAdaptation: CustomStringConvertible {
  public var description: String { "[\(matrix)]" }
}
