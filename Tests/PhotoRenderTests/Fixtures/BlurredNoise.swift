import Foundation
import TestRandom
import TestSupport

/// Blurred grey noise around the middle of the range, which is texture of one size.
struct BlurredNoise {
  let samples: Samples

  /// `sigma` is the blur in pixels.
  ///
  /// `deviation` is the standard deviation of the noise after the blur, in levels of 255.
  init(width: Int, height: Int, sigma: Double, deviation: Double) {
    var random = SeededGenerator(seed: 23)
    let noise = (0..<width * height).map { _ in Double.random(in: -1...1, using: &random) }
    let reach = Int((3 * sigma).rounded(.up))
    let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let across = noise.indices.map { place -> Double in
      let (x, y) = (place % width, place / width)
      return weights.indices.reduce(0) { sum, k in
        sum + weights[k] * noise[y * width + (x + k - reach + width) % width]
      }
    }
    let blurred = noise.indices.map { place -> Double in
      let (x, y) = (place % width, place / width)
      return weights.indices.reduce(0) { sum, k in
        sum + weights[k] * across[(y + k - reach + height) % height * width + x]
      }
    }
    let spread = (blurred.reduce(0) { $0 + $1 * $1 } / Double(blurred.count)).squareRoot()
    let values = blurred.flatMap { value -> [Int] in
      let level = 127.5 + value / spread * deviation
      return Array(repeating: Int((257 * min(255, max(0, level))).rounded()), count: 3)
    }
    samples = Samples(width: width, height: height, bands: 3, maximum: 65_535, values: values)
  }
}
