import Glibc

/// Averages of linear light over the pixels of a view.
extension [SIMD3<Float>] {
  /// The linear light of a pixel, clamped to 0…1.
  private func light(_ pixel: SIMD3<Float>) -> ColourMatrix.Vector {
    let held = pixel.clamped(lowerBound: .zero, upperBound: .one)
    return ColourMatrix.Vector(
      Curve.decode(Double(held.x)), Curve.decode(Double(held.y)), Curve.decode(Double(held.z)))
  }

  /// The mean logarithm of the luminance; nil without pixels.
  var lightLogAverage: Double? {
    if isEmpty { return nil }
    let sum = reduce(0) { $0 + log(0.0001 + (light($1) * Grade.luma).sum()) }
    return exp(sum / Double(count))
  }
}
