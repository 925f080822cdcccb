import Foundation

/// Payloads of the instruction ROLLOFF for spaces that convert from linear sRGB by a matrix.
package enum RolloffPayload {
  package static let sRGB: [Float] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
  package static let displayP3: [Float] = [
    0.822_462, 0.177_538, 0, 0.033_194_2, 0.966_805_8, 0, 0.017_082_6, 0.072_397_4, 0.910_52,
  ]
  /// A space that is narrower than sRGB.
  package static let narrow: [Float] = [
    1.2, -0.15, -0.05, -0.1, 1.15, -0.05, -0.02, -0.08, 1.1,
  ]

  package static func of(
    _ knee: Double, _ bend: Double, isEncoded: Bool, _ matrix: [Float] = sRGB
  ) -> [Float] {
    [isEncoded ? 1 : 0, Float(knee), Float(bend)] + matrix + polynomial(knee, bend)
  }

  /// The encoded limit, as a sum of Chebyshev's polynomials that is expanded into powers.
  private static func polynomial(_ knee: Double, _ bend: Double) -> [Float] {
    let peak = bend > 0 ? knee + 1 / (1 / (1 - knee) - bend) : knee
    let ends = [peak, knee].map { 1 / (PointReference.encoded($0) + 0.055) }
    let (middle, half, count) = ((ends[0] + ends[1]) / 2, (ends[1] - ends[0]) / 2, 8)
    let angles = (0..<count).map { Double.pi * (Double($0) + 0.5) / Double(count) }
    let values = angles.map { angle in
      let light = PointReference.decoded(1 / (middle + half * cos(angle)) - 0.055)
      let above = max(0, light - knee)
      return PointReference.encoded(min(1, min(light, knee) + above / (1 + bend * above)))
    }
    var powers = Array(repeating: 0.0, count: count)
    var (last, chebyshev) = ([0.0], [1.0])
    for order in 0..<count {
      let sum = zip(angles, values).map { $1 * cos(Double(order) * $0) }.reduce(0, +)
      for (power, factor) in chebyshev.enumerated() {
        powers[power] += (order == 0 ? 1 : 2) / Double(count) * sum * factor
      }
      let twice = [0] + chebyshev.map { order == 0 ? $0 : 2 * $0 }
      let padded = last + Array(repeating: 0, count: twice.count - last.count)
      (last, chebyshev) = (chebyshev, zip(twice, padded).map { $0 - $1 })
    }
    return ([middle, half > 0 ? 1 / half : 0] + powers).map { Float($0) }
  }
}
