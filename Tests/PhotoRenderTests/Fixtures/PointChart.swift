import TestRandom
import TestSupport
import Testing

/// A chart of many colours, for comparing point filters with formulas in double precision.
enum PointChart {
  /// A cube of 9³ colours, or of 17³ in the whole volume, near-greys, and random colours.
  static func samples(maximum: Int) -> Samples { maximum == 255 ? eight : sixteen }

  private static let eight = chart(255)
  private static let sixteen = chart(65_535)
  private static let steps = TestVolume.isWhole ? 16 : 8
  private static let size = TestVolume.isWhole ? (100, 90) : (50, 40)

  private static func chart(_ maximum: Int) -> Samples {
    var random = SeededGenerator(seed: 7)
    var values: [Int] = []
    for r in 0...steps {
      for g in 0...steps {
        for b in 0...steps { values += [r, g, b].map { $0 * maximum / steps } }
      }
    }
    for level in 0...255 { values += Array(repeating: level * maximum / 255, count: 3) }
    for level in 0...255 { values += [level * maximum / 255, 0, maximum] }
    while values.count < 3 * size.0 * size.1 {
      values.append(Int.random(in: 0...maximum, using: &random))
    }
    return Samples(width: size.0, height: size.1, bands: 3, maximum: maximum, values: values)
  }

  /// Expects that the filters give the same result for the chart as the formula, within one level
  /// in 8 bits and four levels in 16 bits.
  static func expect(_ filters: String, _ formula: PointFormulas.Formula) throws {
    for (maximum, bound) in [(255, 1.001), (65_535, 4.001)] {
      let worst = try worst(filters, formula, maximum)
      #expect(worst <= bound, "\(filters) is off by \(worst) of \(maximum)")
    }
  }

  /// The largest difference from the formula, in levels; half a level of the difference is
  /// rounding.
  ///
  /// Single precision changes a value by some millionths, and the slope of a formula may be as
  /// steep as a root's at black. The formula's results for inputs within 2e-6 are therefore
  /// accepted too.
  private static func worst(
    _ filters: String, _ formula: PointFormulas.Formula, _ maximum: Int
  ) throws -> Double {
    let chart = samples(maximum: maximum)
    let depth = maximum == 255 ? "8" : "16"
    let file = try Studio.develop(
      chart.file(), filters, output: #""format": "png", "bitDepth": "\#(depth)""#)
    let result = try Samples(file: file)
    try #require(result.maximum == chart.maximum && result.bands == 3)
    let full = Double(maximum)
    var worst = 0.0
    for y in 0..<chart.height {
      for x in 0..<chart.width {
        let place = (
          x: (Double(x) + 0.5) / Double(chart.width), y: (Double(y) + 0.5) / Double(chart.height)
        )
        let pixel = chart[x, y].map { Double($0) / full }
        let wanted = [-2e-6, 0, 2e-6].map { move in
          formula(pixel.map { $0 + move }, place).map { min(1, max(0, $0)) * full }
        }
        for (channel, value) in result[x, y].map(Double.init).enumerated() {
          let exact = wanted.map { $0[channel] }
          worst = max(worst, (exact.min() ?? 0) - value, value - (exact.max() ?? 0))
        }
      }
    }
    return worst
  }
}
