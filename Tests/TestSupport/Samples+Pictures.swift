import Foundation
import TestRandom

/// Pictures that many tests of filters use.
extension Samples {
  /// Creates a picture; `pixel` computes each pixel from its position.
  public init(_ width: Int, _ height: Int, maximum: Int = 255, pixel: (_ x: Int, _ y: Int) -> [Int])
  {
    var values: [Int] = []
    values.reserveCapacity(width * height * 4)
    for y in 0..<height {
      for x in 0..<width { values += pixel(x, y) }
    }
    let bands = values.count / (width * height)
    self.init(width: width, height: height, bands: bands, maximum: maximum, values: values)
  }

  public static func noise(
    _ width: Int, _ height: Int, bands: Int = 3, maximum: Int = 255, to most: Int? = nil
  ) -> Samples {
    var random = SeededGenerator(seed: 5)
    return Samples(width, height, maximum: maximum) { _, _ in
      (0..<bands).map { _ in Int.random(in: 0...(most ?? maximum), using: &random) }
    }
  }

  /// A black 16-bit picture with one white pixel in the middle; the side must be odd.
  public static func dot(_ side: Int) -> Samples {
    Samples(side, side, maximum: 65_535) { x, y in
      Array(repeating: (x, y) == (side / 2, side / 2) ? 65_535 : 0, count: 3)
    }
  }

  /// A 16-bit picture of two greys 0…1: dark on the left, bright on the right.
  public static func edge(_ dark: Double, _ bright: Double, _ width: Int, _ height: Int) -> Samples
  {
    Samples(width, height, maximum: 65_535) { x, _ in
      Array(repeating: Int((65_535 * (x < width / 2 ? dark : bright)).rounded()), count: 3)
    }
  }

  /// A 16-bit picture of noise around a grey; the grey and the standard deviation are in 0…1.
  public static func grain(
    around grey: Double, deviation: Double, _ width: Int, _ height: Int
  ) -> Samples {
    var random = SeededGenerator(seed: 8)
    return Samples(width, height, maximum: 65_535) { _, _ in
      // The sum of four uniform random values is nearly normal, with the variance 4 ÷ 3.
      let sum = (0..<4).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &random) }
      let value = grey + deviation * sum / (4.0 / 3).squareRoot()
      return Array(repeating: Int((65_535 * min(1, max(0, value))).rounded()), count: 3)
    }
  }

  /// A picture of broad waves, which resampling hardly changes.
  public static func waves(_ width: Int, _ height: Int, maximum: Int = 65_535) -> Samples {
    Samples(width, height, maximum: maximum) { x, y in
      let (u, v) = (Double(x) / Double(width), Double(y) / Double(height))
      let colour = [0.5 + 0.3 * sin(5 * u), 0.5 + 0.3 * cos(4 * v), 0.3 + 0.4 * u * v]
      return colour.map { Int($0 * Double(maximum)) }
    }
  }

  /// A simulated photo at high sensitivity: smooth shapes, with noise of 8 levels in all channels
  /// together and 6 levels in each channel.
  public static func noisyShapes(_ width: Int, _ height: Int) -> Samples {
    var random = SeededGenerator(seed: 31)
    func normal(_ deviation: Double) -> Double {
      (0..<4).reduce(0) { sum, _ in sum + Double.random(in: -1...1, using: &random) } * deviation
        / 1.1547
    }
    return Samples(width, height) { x, y in
      let shape = sin(Double(x) / 40) * cos(Double(y) / 55) > 0.3 ? 60.0 : 0
      let light = 40 + 110 * Double(y) / Double(height) + shape + normal(8)
      let colour = [30 * sin(Double(x) / 200), 0, -30 * sin(Double(y) / 170)]
      return colour.map { Int(min(255, max(0, light + $0 + normal(6))).rounded()) }
    }
  }

  /// The standard deviation of the first channel, as a fraction of the range.
  public var deviation: Double {
    let values = stride(from: 0, to: self.values.count, by: bands).map {
      Double(self.values[$0]) / Double(maximum)
    }
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + pow($1 - mean, 2) }
    return (squares / Double(values.count)).squareRoot()
  }

  /// The mean of the first channel, as a fraction of the range.
  public var mean: Double {
    let values = stride(from: 0, to: self.values.count, by: bands).map { self.values[$0] }
    return Double(values.reduce(0, +)) / Double(values.count * maximum)
  }

  /// The part of the picture from (`left`, `top`) on.
  public func part(_ left: Int, _ top: Int, _ width: Int, _ height: Int) -> Samples {
    Samples(width, height, maximum: maximum) { x, y in self[left + x, top + y] }
  }
}
