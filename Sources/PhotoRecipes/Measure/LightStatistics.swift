import Foundation

/// Averages of linear light over pixels of a view.
extension [SIMD3<Float>] {
  /// Linear light, clamped to 0…1.
  private func light(_ pixel: SIMD3<Float>) -> ColourMatrix.Vector {
    let held = pixel.clamped(lowerBound: .zero, upperBound: .one)
    return ColourMatrix.Vector(
      Curve.decode(Double(held.x)), Curve.decode(Double(held.y)), Curve.decode(Double(held.z)))
  }

  /// The average of the logarithm of the luminance; nil without pixels.
  var lightLogAverage: Double? {
    if isEmpty { return nil }
    let sum = reduce(0) { $0 + log(0.0001 + (light($1) * Grade.luma).sum()) }
    return exp(sum / Double(count))
  }

  /// The mean of each channel; nil without pixels.
  var lightMean: ColourMatrix.Vector? {
    if isEmpty { return nil }
    return reduce(ColourMatrix.Vector.zero) { $0 + light($1) } / Double(count)
  }

  /// A quantile of each channel; nil without pixels.
  func lightQuantile(_ part: Double) -> ColourMatrix.Vector? {
    let channels = (0..<3).compactMap { c in ToneCounts(lazy.map { $0[c] }).quantile(part) }
    if channels.count < 3 { return nil }
    return ColourMatrix.Vector(
      Curve.decode(channels[0]), Curve.decode(channels[1]), Curve.decode(channels[2]))
  }
}
