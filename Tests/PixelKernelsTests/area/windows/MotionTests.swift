import Foundation
import TestReference
import Testing
import Vips

/// `phbatch_motion`, compared with the mean of points on a line, in double precision.
@Suite struct MotionTests {
  @Test(
    arguments: [(29, 17), (1, 1), (40, 1)], [(0.0, 0.0), (10, 0), (7.3, 90), (12.6, 33), (5, -120)])
  func theResultEqualsTheMeanAlongALine(_ size: (Int, Int), _ settings: (Double, Double)) throws {
    let (length, angle) = settings
    let points = 2 * Int(length.rounded(.up)) + 1
    for bands in [3, 4] {
      for format in SampleFormat.allCases {
        let input = Raster.noise(size.0, size.1, bands: bands).stored(as: format)
        let expected = input.mapped { x, y, band in
          let values = (0..<points).map { i in
            let along = points == 1 ? 0 : length * (Double(i) / Double(points - 1) - 0.5)
            return input.between(
              Double(x) + along * cos(angle * .pi / 180),
              Double(y) - along * sin(angle * .pi / 180), band)
          }
          return values.reduce(0, +) / Double(points)
        }
        let output = try input.image(as: format).applying(
          "phbatch_motion",
          [
            "length": .number(length), "angle": .number(angle), "format": .choice(format.rawValue),
          ])
        #expect(try expected.distance(to: output, as: format) <= format.tolerance, "\(format)")
      }
    }
  }
}
