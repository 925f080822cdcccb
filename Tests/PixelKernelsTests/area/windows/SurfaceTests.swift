import Foundation
import TestReference
import Testing
import Vips

/// `phbatch_surface`, compared with its formula in double precision.
@Suite struct SurfaceTests {
  /// The expected result.
  ///
  /// The colours are premultiplied, so their alpha is their weight; alpha stays unchanged.
  private static func smoothed(_ input: Raster, radius: Int, threshold: Double) -> Raster {
    let margin = 2 * radius
    let padded = input.padded(by: margin)
    func averaged(
      _ size: Raster, _ value: @escaping (Int, Int, Int) -> Double
    ) -> Raster {
      size.mapped(value).averaged(radius: Double(radius))
    }
    func alpha(_ raster: Raster, _ x: Int, _ y: Int) -> Double {
      raster.bands == 4 ? raster.value(x, y, 3) : 1
    }
    let weight = averaged(padded) { x, y, _ in alpha(padded, x, y) }
    let sum = averaged(padded) { padded.value($0, $1, $2) }
    let squared = averaged(padded) { x, y, band in
      pow(padded.value(x, y, band), 2) / alpha(padded, x, y)
    }
    let mean = sum.mapped { sum.value($0, $1, $2) / weight.value($0, $1, 0) }
    let squares = squared.mapped { squared.value($0, $1, $2) / weight.value($0, $1, 0) }
    let slope = Raster(padded.width, padded.height, bands: 1) { x, y, _ in
      let variance = (0..<3).map { band in
        squares.value(x, y, band) - mean.value(x, y, band) * mean.value(x, y, band)
      }.reduce(0, +)
      let tolerance = 3 * threshold * threshold
      return variance * variance / (variance * variance + tolerance * tolerance)
    }
    let weights = weight.averaged(radius: Double(radius)).trimmed(by: margin)
    let slopes = averaged(slope) { x, y, _ in slope.value(x, y, 0) * weight.value(x, y, 0) }
      .trimmed(by: margin)
    let offsets = averaged(mean) { x, y, band in
      (1 - slope.value(x, y, 0)) * sum.value(x, y, band)
    }.trimmed(by: margin)
    return input.mapped { x, y, band in
      if band == 3 { return input.value(x, y, 3) }
      let value = input.value(x, y, band) * slopes.value(x, y, 0)
      return (value + alpha(input, x, y) * offsets.value(x, y, band)) / weights.value(x, y, 0)
    }
  }

  @Test(arguments: [(29, 17), (1, 1), (1, 20), (40, 2)], [(1, 0.01), (4, 0.1), (7, 1.0)])
  func theSurfaceKernelMatchesItsFormula(_ size: (Int, Int), _ settings: (Int, Double)) throws {
    for bands in [3, 4] {
      for format in SampleFormat.allCases {
        let noise = Raster.noise(size.0, size.1, bands: bands)
        let alpha = noise.mapped { x, y, _ in
          bands == 4 ? 0.3 + 0.7 * noise.value(x, y, 3) : 1
        }
        let input = noise.mapped { x, y, band in
          band == 3 ? alpha.value(x, y, 0) : noise.value(x, y, band) * alpha.value(x, y, 0)
        }.stored(as: format)
        let output = try input.image(as: format).applying(
          "phbatch_surface",
          [
            "radius": .integer(settings.0), "threshold": .number(settings.1),
            "format": .choice(format.rawValue),
          ])
        let expected = Self.smoothed(input, radius: settings.0, threshold: settings.1)
        #expect(try expected.distance(to: output, as: format) <= format.tolerance, "\(format)")
      }
    }
  }

  /// A strong edge stays; weak noise beside the edge is removed.
  @Test func strongEdgesAreKeptAndWeakNoiseIsRemoved() throws {
    let noise = Raster.noise(60, 40, bands: 3, in: -0.02...0.02)
    let input = noise.mapped { x, y, band in noise.value(x, y, band) + (x < 30 ? 0.2 : 0.8) }
    let output = try input.image(as: .float).applying(
      "phbatch_surface",
      ["radius": .integer(4), "threshold": .number(0.05), "format": .choice("float")])
    let values = Raster(
      width: 60, height: 40, bands: 3,
      values: Raster.values(of: try output.pixels(), as: .float))
    for y in 5..<35 {
      #expect(values.value(30, y, 1) - values.value(29, y, 1) > 0.5)
      #expect(abs(values.value(10, y, 1) - 0.2) < 0.008)
    }
  }
}
