import Testing
import Vips

/// `phbatch_unsharp` against its formula in double precision.
@Suite struct UnsharpTests {
  private static func sharpened(
    _ input: Raster, sigma: Double, amount: Double, threshold: Double
  ) -> Raster {
    let luma = input.luma
    let blurred = luma.blurred(sigma: sigma)
    return Raster(input.width, input.height, bands: input.bands) { x, y, band in
      let value = input.value(x, y, band)
      guard band < 3 else { return value }
      let difference = luma.value(x, y, 0) - blurred.value(x, y, 0)
      let soft = max(0, abs(difference) - threshold)
      return value + amount * (difference < 0 ? -soft : soft)
    }
  }

  @Test(
    arguments: [(29, 17), (1, 1), (1, 40), (40, 1), (600, 2)],
    [(0.3, 1.0, 0.0), (0.8, 0.5, 0.05), (3.0, 10.0, 0.25), (2.0, 0.0, 0.0)])
  func matchesItsFormula(_ size: (Int, Int), _ settings: (Double, Double, Double)) throws {
    let (sigma, amount, threshold) = settings
    for bands in [3, 4] {
      for from in SampleFormat.allCases {
        let input = Raster.noise(size.0, size.1, bands: bands).stored(as: from)
        let expected = Self.sharpened(
          input, sigma: sigma, amount: amount, threshold: threshold)
        for to in SampleFormat.allCases {
          let output = try input.image(as: from).applying(
            "phbatch_unsharp",
            [
              "sigma": .number(sigma), "amount": .number(amount), "threshold": .number(threshold),
              "format": .choice(to.rawValue),
            ])
          let distance = try expected.distance(to: output, as: to)
          #expect(distance <= to.tolerance, "\(bands) bands, \(from) to \(to)")
        }
      }
    }
  }

  /// More rows than a sequential source keeps.
  @Test func aSequentialSourceGivesTheSamePixels() throws {
    let input = Raster.noise(8, 3000, bands: 3)
    let settings: [String: Argument] = [
      "sigma": .number(50), "amount": .number(1), "threshold": .number(0),
      "format": .choice("uchar"),
    ]
    let plain = try input.image(as: .uchar).applying("phbatch_unsharp", settings)
    let streamed = try input.image(as: .uchar).applying("sequential")
      .applying("phbatch_unsharp", settings)
    #expect(try streamed.pixels().firstDifference(from: plain.pixels()) == nil)
  }
}
