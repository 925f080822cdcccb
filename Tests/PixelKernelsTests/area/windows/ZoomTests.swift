import Foundation
import TestReference
import Testing
import Vips

/// `phbatch_zoom`, compared with the mean of points on lines that meet in the zoom's centre, in
/// double precision.
@Suite struct ZoomTests {
  @Test(
    arguments: [(29, 17), (1, 1), (40, 1), (150, 9)],
    [(0, 0.5, 0.5), (9, 0.5, 0.5), (14.6, 0.2, 0.9), (12, 1, 0), (41, 0.4, 0.6)]
      as [(Double, Double, Double)])
  func theResultEqualsTheMeanAlongLinesThroughTheCentre(
    _ size: (Int, Int), _ settings: (length: Double, x: Double, y: Double)
  ) throws {
    let middle = (x: settings.x * Double(size.0), y: settings.y * Double(size.1))
    let farthest = [0, Double(size.0)].flatMap { x in
      [0, Double(size.1)].map { y in hypot(x - middle.x, y - middle.y) }
    }.reduce(0, max)
    for bands in [3, 4] {
      for format in SampleFormat.allCases {
        let input = Raster.noise(size.0, size.1, bands: bands).stored(as: format)
        let expected = input.mapped { x, y, band in
          let across = (Double(x) + 0.5 - middle.x) * settings.length / farthest
          let down = (Double(y) + 0.5 - middle.y) * settings.length / farthest
          let points = Int(hypot(across, down).rounded(.up)) + 1
          let values = (0..<points).map { i in
            let along = points == 1 ? 0 : Double(i) / Double(points - 1) - 0.5
            return input.between(
              Double(x) + along * across, Double(y) + along * down, band)
          }
          return values.reduce(0, +) / Double(points)
        }
        let output = try input.image(as: format).applying(
          "phbatch_zoom",
          [
            "length": .number(settings.length), "x": .number(settings.x),
            "y": .number(settings.y), "format": .choice(format.rawValue),
          ])
        #expect(try expected.distance(to: output, as: format) <= format.tolerance, "\(format)")
      }
    }
  }
}
