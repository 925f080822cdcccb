import Foundation
import TestReference
import Testing
import Vips

/// `phbatch_moire`, compared with its formula in double precision.
@Suite struct MoireTests {
  /// A channel of chroma moved towards its mean.
  private static func calmed(_ channel: Raster, radius: Int, amount: Double) -> Raster {
    let low = channel.lowest(radius: radius).highest(radius: radius)
    let high = channel.highest(radius: radius).lowest(radius: radius)
    let peaks = channel.mapped { channel.value($0, $1, $2) - low.value($0, $1, $2) }
      .highest(radius: radius)
    let valleys = channel.mapped { high.value($0, $1, $2) - channel.value($0, $1, $2) }
      .highest(radius: radius)
    let mean = channel.averaged(radius: Double(radius))
    return channel.mapped { x, y, band in
      let most = min(peaks.value(x, y, band), valleys.value(x, y, band))
      let aim = min(max(mean.value(x, y, band), low.value(x, y, band)), high.value(x, y, band))
      let value = channel.value(x, y, band)
      return value + amount * min(max(aim - value, -most), most)
    }
  }

  @Test(arguments: [(29, 17), (1, 1), (1, 20), (40, 2)], [(1, 1.0), (3, 0.4), (5, 1.0)])
  func theMoireKernelMatchesItsFormula(_ size: (Int, Int), _ settings: (Int, Double)) throws {
    for bands in [3, 4] {
      for format in SampleFormat.allCases {
        let noise = Raster.noise(size.0, size.1, bands: bands)
        let input = noise.mapped { x, y, band in
          let alpha = bands == 4 ? 0.3 + 0.7 * noise.value(x, y, 3) : 1
          return band == 3 ? alpha : noise.value(x, y, band) * alpha
        }.stored(as: format)
        let output = try input.image(as: format).applying(
          "phbatch_moire",
          [
            "radius": .integer(settings.0), "amount": .number(settings.1),
            "format": .choice(format.rawValue),
          ])
        let chroma = ChromaReference(input)
        // The kernel repeats the photo's edge, so the formula is computed for a photo with padding.
        let expected = ChromaReference(input.padded(by: 3 * settings.0))
        let red = Self.calmed(expected.red, radius: settings.0, amount: settings.1)
          .trimmed(by: 3 * settings.0)
        let blue = Self.calmed(expected.blue, radius: settings.0, amount: settings.1)
          .trimmed(by: 3 * settings.0)
        let wanted = chroma.photo(red: red, blue: blue)
        #expect(try wanted.distance(to: output, as: format) <= format.longTolerance, "\(format)")
      }
    }
  }
}
