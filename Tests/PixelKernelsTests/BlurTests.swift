import Testing
import Vips

/// `phbatch_blur` against a direct convolution in double precision.
@Suite struct BlurTests {
  private static let sizes = [(29, 17), (1, 1), (1, 40), (40, 1), (2, 3)]

  @Test(arguments: sizes, [0.3, 0.85, 2.7])
  func matchesADirectConvolution(_ size: (Int, Int), _ sigma: Double) throws {
    for bands in 1...5 {
      let original = Raster.noise(size.0, size.1, bands: bands)
      for from in SampleFormat.allCases {
        let input = original.stored(as: from)
        let expected = input.blurred(sigma: sigma)
        for to in SampleFormat.allCases {
          let output = try input.image(as: from).applying(
            "phbatch_blur", ["sigma": .number(sigma), "format": .choice(to.rawValue)])
          let distance = try expected.distance(to: output, as: to)
          #expect(distance <= to.tolerance, "\(bands) bands, \(from) to \(to)")
        }
      }
    }
  }

  /// More columns than a block and a radius larger than the image.
  @Test(arguments: [(600, 3, 4.0), (5, 4, 60.0)])
  func largeSizesMatchToo(_ width: Int, _ height: Int, _ sigma: Double) throws {
    let input = Raster.noise(width, height, bands: 3).stored(as: .float)
    let output = try input.image(as: .float).applying(
      "phbatch_blur", ["sigma": .number(sigma), "format": .choice("float")])
    #expect(try input.blurred(sigma: sigma).distance(to: output, as: .float) <= 1e-5)
  }

  @Test(arguments: [0.3, 5, 250]) func aFlatFieldStays(_ sigma: Double) throws {
    let input = Raster(33, 20, bands: 4) { _, _, band in Double(band * 85) / 255 }
    let output = try input.image(as: .uchar).applying(
      "phbatch_blur", ["sigma": .number(sigma), "format": .choice("uchar")])
    #expect(try output.pixels().firstDifference(from: input.bytes(as: .uchar)) == nil)
  }

  /// More rows than a sequential source keeps.
  @Test func aSequentialSourceGivesTheSamePixels() throws {
    let input = Raster.noise(8, 5000, bands: 3)
    let plain = try input.image(as: .uchar).applying(
      "phbatch_blur", ["sigma": .number(250), "format": .choice("uchar")])
    let streamed = try input.image(as: .uchar).applying("sequential").applying(
      "phbatch_blur", ["sigma": .number(250), "format": .choice("uchar")])
    #expect(try streamed.pixels().firstDifference(from: plain.pixels()) == nil)
  }
}
