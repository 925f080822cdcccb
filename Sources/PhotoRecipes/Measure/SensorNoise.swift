import Glibc

/// The noise of a sensor's samples: a sample x, 0 at black and 1 where the sensor is full, has the
/// variance `slope × x + floor`.
///
/// - Source: Adobe Digital Negative Specification 1.7, 2023, NoiseProfile; A. Foi, M. Trimeche, V.
///   Katkovnik and K. Egiazarian, "Practical Poissonian-Gaussian noise modeling", 2008.
public struct SensorNoise: Sendable, Hashable {
  /// The noise of light and the noise of reading the sensor.
  public let slope: Double
  public let floor: Double

  public init(slope: Double, floor: Double) {
    self.slope = slope
    self.floor = floor
  }

  /// The mean and the variance of a block of samples that show one colour.
  public struct Block: Sendable {
    public let mean: Double
    public let variance: Double

    public init(mean: Double, variance: Double) {
      self.mean = mean
      self.variance = variance
    }
  }

  /// A quantile of the variances in blocks of 8 × 8 differences, and the ratio of the noise's
  /// variance to this quantile, computed from 20,000 blocks of normal noise.
  private static let flat = (quantile: 0.15, ratio: 1.344)
  /// The darkest and the brightest tone whose noise is measured, and the ratio of the ends of a
  /// range of tones.
  private static let tones = (darkest: 0.004, brightest: 0.7, ratio: 1.6)
  private static let fewestBlocks = 30

  /// Fits the noise to the blocks of a photo; nil if fewer than two tones have enough blocks.
  ///
  /// For each tone, the blocks with the smallest variances count as flat areas.
  public init?(_ blocks: [Block]) {
    var variances: [Int: [Block]] = [:]
    for block in blocks where (Self.tones.darkest..<Self.tones.brightest).contains(block.mean) {
      let tone = log(block.mean / Self.tones.darkest) / log(Self.tones.ratio)
      variances[Int(tone), default: []].append(block)
    }
    let points = variances.values.compactMap { blocks -> Block? in
      if blocks.count < Self.fewestBlocks { return nil }
      let sorted = blocks.map(\.variance).sorted()
      let variance = sorted[Int(Double(sorted.count) * Self.flat.quantile)] * Self.flat.ratio
      let mean = blocks.reduce(0) { $0 + $1.mean } / Double(blocks.count)
      return variance > 0 ? Block(mean: mean, variance: variance) : nil
    }
    guard points.count >= 2 else { return nil }
    // Fits a line by least squares of the relative errors.
    var (s0, s1, s2, t0, t1) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for point in points {
      let weight = 1 / (point.variance * point.variance)
      s0 += weight
      s1 += weight * point.mean
      s2 += weight * point.mean * point.mean
      t0 += weight * point.variance
      t1 += weight * point.mean * point.variance
    }
    let determinant = s0 * s2 - s1 * s1
    let slope = determinant > 0 ? (s0 * t1 - s1 * t0) / determinant : 0
    let floor = determinant > 0 ? (s2 * t0 - s1 * t1) / determinant : t0 / s0
    if floor < 0 {
      self.init(slope: t1 / s2, floor: 0)
    } else {
      self.init(slope: max(0, slope), floor: slope < 0 ? t0 / s0 : floor)
    }
  }
}
