import Glibc

/// A Gaussian as kernels compute it: sampled at whole pixels up to three standard deviations.
///
/// Below a standard deviation of about half a pixel, the samples blur less than the Gaussian itself.
/// An unsharp mask with a small radius is proportional to the variance of its blur, so a radius that
/// is small only because the photo is small needs samples with the variance of the Gaussian.
enum SampledGaussian {
  /// The smallest standard deviation in pixels that kernels support.
  static let leastSigma = 0.3
  /// The standard deviation from which on the variances differ by less than 3 %, apart from the cut
  /// at three standard deviations.
  private static let exactSigma = 0.6

  /// The variance of the samples, in pixels².
  static func variance(_ sigma: Double) -> Double {
    var (sum, squares) = (1.0, 0.0)
    for k in 1...max(1, Int((3 * sigma).rounded(.up))) {
      let weight = 2 * exp(-0.5 * Double(k * k) / (sigma * sigma))
      sum += weight
      squares += weight * Double(k * k)
    }
    return squares / sum
  }

  /// The standard deviation in pixels by which a kernel with the standard deviation `sigma` blurs.
  static func effective(_ sigma: Double) -> Double {
    sigma < exactSigma ? variance(sigma).squareRoot() : sigma
  }

  /// The standard deviation for kernels whose samples have the variance `sigma`²; nil if it is below
  /// the smallest that kernels support.
  static func sampled(_ sigma: Double) -> Double? {
    if sigma >= exactSigma { return sigma }
    var (low, high) = (leastSigma, 0.7)
    if sigma * sigma < variance(low) { return nil }
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if variance(middle) < sigma * sigma { low = middle } else { high = middle }
    }
    return low
  }
}

extension AreaOperation {
  /// The variance of an unsharp mask below which sharpening is invisible, in pixels².
  private static let leastVariance = 0.001

  /// The same sharpening with a blur of the standard deviation `sigma` in pixels; nil if the
  /// sharpening would be invisible.
  ///
  /// If the kernel does not support so small a blur, it gets the smallest, and the amount is reduced
  /// by the ratio of the variances.
  func sharpening(by sigma: Double) -> AreaOperation? {
    var result = self
    if let sampled = SampledGaussian.sampled(sigma) {
      result.arguments["sigma"] = .length(sampled)
      return result
    }
    guard sigma * sigma >= Self.leastVariance, case .number(let amount) = arguments["amount"] else {
      return nil
    }
    let least = SampledGaussian.leastSigma
    result.arguments["sigma"] = .length(least)
    result.arguments["amount"] = .number(
      amount * sigma * sigma / SampledGaussian.variance(least))
    return result
  }
}
