/// The tones of a picture: the quantiles of its channels' values, and the mean strength of its
/// colours.
public struct PictureTones: Sendable, Hashable {
  /// The number of quantiles, at even steps from the darkest to the brightest pixel.
  static let count = 129

  /// The quantiles of the display-encoded values of all three channels together.
  let values: [Double]
  /// The mean distance of a pixel's display-encoded channels from its luma.
  let colour: Double

  /// Measures display-encoded pixels; nil for fewer pixels than quantiles.
  public init?(_ pixels: [SIMD3<Float>]) {
    guard pixels.count > Self.count else { return nil }
    let sorted = pixels.flatMap { [$0.x, $0.y, $0.z] }.sorted()
    values = (0..<Self.count).map { step in
      Double(sorted[step * (sorted.count - 1) / (Self.count - 1)])
    }
    let view = PhotoView(size: Size(1, 1), full: Size(1, 1), pixels: pixels)
    colour = Self.strength(pixels, view.unclippedLuma)
  }

  private static func strength(_ pixels: [SIMD3<Float>], _ luma: [Float]) -> Double {
    var sum = 0.0
    for (pixel, tone) in zip(pixels, luma) {
      let difference = pixel - SIMD3(repeating: tone)
      sum += Double((difference * difference).sum().squareRoot())
    }
    return sum / Double(max(1, pixels.count))
  }
}
