import Glibc
import TestRandom
import Testing

@testable import PhotoRecipes

/// The noise of sensors, and the strength with which colour noise is removed.
@Suite struct SensorNoiseTests {
  /// Blocks with the variance of the noise, multiplied by the random spread of blocks of 64
  /// samples.
  private static func blocks(_ noise: SensorNoise, textured: Double = 0.3) -> [SensorNoise.Block] {
    var random = SeededGenerator(seed: 11)
    return (0..<6_000).map { _ in
      let mean = Double.random(in: 0.002...0.8, using: &random)
      // Differences between neighbours in 9 × 9 samples, as in a photo.
      let samples = (0..<81).map { _ in random.normal() }
      var squares = 0.0
      for y in 0..<8 {
        for x in 0..<8 {
          let at = y * 9 + x
          let d = (samples[at] - samples[at + 1] - samples[at + 9] + samples[at + 10]) / 2
          squares += d * d
        }
      }
      let texture = Double.random(in: 0...1, using: &random) < textured ? 0.001 : 0
      let variance = (noise.slope * mean + noise.floor) * squares / 64 + texture
      return SensorNoise.Block(mean: mean, variance: variance)
    }
  }

  @Test(arguments: [(5e-5, 1e-6), (4e-4, 2e-5), (0, 3e-5), (2e-4, 0)])
  func theNoiseOfASensorIsFittedToBlocks(_ slope: Double, _ floor: Double) throws {
    let noise = try #require(SensorNoise(Self.blocks(SensorNoise(slope: slope, floor: floor))))
    for tone in [0.02, 0.1, 0.4] {
      let (found, wanted) = (noise.slope * tone + noise.floor, slope * tone + floor)
      #expect(abs(found / wanted - 1) < 0.25, "\(tone): \(found), not \(wanted)")
    }
    #expect(noise.slope >= 0 && noise.floor >= 0)
  }

  @Test func noiseOfPhotosWithOneToneIsUnknown() {
    #expect(SensorNoise([]) == nil)
    let alike = [SensorNoise.Block](repeating: .init(mean: 0.1, variance: 1e-5), count: 500)
    #expect(SensorNoise(alike) == nil)
    let drawn = (0..<500).map { SensorNoise.Block(mean: Double($0) / 600, variance: 0) }
    #expect(SensorNoise(drawn) == nil)
  }

  /// Compares the strength with the covariance of randomly drawn colours.
  @Test func theStrengthEqualsTheDeviationOfRandomColours() {
    let matrix = ColourMatrix(
      .init(1.8, -0.7, -0.1), .init(0, 1.25, -0.25), .init(0.1, -0.45, 1.35))
    var step = ColourNoise(multipliers: .init(1.9, 1, 1.6), matrix: matrix, stated: nil)
    step.gain = 2
    let noise = SensorNoise(slope: 3e-4, floor: 4e-6)
    var random = SeededGenerator(seed: 5)
    // A light of 0.1 after a gain of 2 was a light of 0.05 on the sensor, divided by the
    // multipliers.
    func sample(_ multiplier: Double, _ count: Int) -> Double {
      let x = 0.05 / multiplier
      let deviation = (noise.slope * x + noise.floor).squareRoot()
      let values = (0..<count).map { _ in x + deviation * random.normal() }
      return values.reduce(0, +) / Double(count) * multiplier
    }
    var (first, second) = (0.0, 0.0)
    let draws = 20_000
    for _ in 0..<draws {
      let cell = ColourMatrix.Vector(sample(1.9, 1), sample(1, 2), sample(1.6, 1))
      let light = 2 * matrix(cell)
      let encoded = ColourMatrix.Vector(
        Curve.encode(light.x), Curve.encode(light.y), Curve.encode(light.z))
      first += (encoded.x - encoded.z) * (encoded.x - encoded.z) / 2
      let other = encoded.x - 2 * encoded.y + encoded.z
      second += other * other / 6
    }
    let deviation = ((first + second) / 2 / Double(draws)).squareRoot()
    #expect(abs(step.strength(of: noise) / (20 * deviation) - 1) < 0.05)
  }

  @Test func littleNoiseIsNotRemoved() {
    let step = ColourNoise(multipliers: .one, matrix: .identity, stated: nil)
    #expect(step.reduction(of: SensorNoise(slope: 1e-6, floor: 0)) == nil)
    #expect(step.reduction(of: SensorNoise(slope: 1e-3, floor: 1e-5)) != nil)
    // The removal begins with no effect, and grows with the noise.
    let strengths = (0...60).map { index -> Double in
      let noise = SensorNoise(slope: 3e-4 * pow(1.04, Double(index)), floor: 0)
      guard case .number(let strength)? = step.reduction(of: noise)?.arguments["chroma"] else {
        return 0
      }
      return strength
    }
    let steps = zip(strengths, strengths.dropFirst()).map { $1 - $0 }
    #expect(strengths[0] == 0 && strengths[60] > 0.3, "\(strengths)")
    #expect(steps.allSatisfy { $0 >= 0 && $0 < 0.03 }, "\(strengths)")
  }
}
