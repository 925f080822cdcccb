import Foundation
import TestReference
import Testing
import Vips

/// The formats and the values of the samples that point programs read.
@Suite struct PointSampleTests {
  /// Conversion of alpha between formats: 8 to 16 bits multiplies by 257, 16 to 8 bits rounds to
  /// the nearest, and 16 to 16 bits changes nothing.
  @Test func alphaIsConvertedExactlyBetweenFormats() throws {
    let bytes = PointProgram(instructions: [.init(.cube)]).bytes
    for (from, to) in [
      (SampleFormat.uchar, SampleFormat.ushort), (.ushort, .uchar), (.ushort, .ushort),
    ] {
      let input = Raster(256, 256, bands: 4) { x, y, band in
        Double(from == .uchar ? x : y * 256 + x) / (from == .uchar ? 255 : 65535)
      }
      let output = try input.image(as: from).applying(
        "phbatch_point", ["program": .blob(bytes), "format": .choice(to.rawValue)])
      let found = Raster.values(of: try output.pixels(), as: to)
      let wanted = input.stored(as: to).values
      for i in stride(from: 3, to: found.count, by: 4) where found[i] != wanted[i] {
        Issue.record("alpha \(input.values[i]) from \(from) to \(to) is \(found[i])")
        break
      }
    }
  }

  /// Values that are not finite must not be used as an index into a table or curve.
  ///
  /// NaN becomes 0, at the latest when the samples are converted to integers.
  @Test(arguments: PointTests.cases + PointTests.blends + PointTests.compositions)
  func nonFiniteValuesNeverIndexATable(_ sample: PointTests.Case) throws {
    let values: [Double] = [.nan, .infinity, -.infinity, 1e30, -1e30, 0]
    let input = Raster(6, 1, bands: 3) { x, _, _ in values[x] }
    let program = PointProgram(instructions: sample.instructions)
    let pixels = try input.image(as: .float).applying(
      "phbatch_point", ["program": .blob(program.bytes), "format": .choice("uchar")]
    ).pixels()
    #expect(pixels.count == 18)
    if sample.testDescription == "nothing" {
      #expect(pixels == [0, 0, 0, 255, 255, 255, 0, 0, 0, 255, 255, 255, 0, 0, 0, 0, 0, 0])
    }
  }

  @Test(arguments: [1, 2, 5]) func imagesWithUnsupportedBandCountsThrow(_ bands: Int) throws {
    let image = try Raster.noise(4, 4, bands: bands).image(as: .uchar)
    let bytes = PointProgram(instructions: []).bytes
    #expect(throws: VipsError.self) {
      try image.applying("phbatch_point", ["program": .blob(bytes), "format": .choice("uchar")])
    }
  }

  @Test func imagesWithUnsupportedFormatsThrow() throws {
    let bytes = PointProgram(instructions: []).bytes
    let image = try Raster.noise(4, 4, bands: 3).image(as: .uchar)
    #expect(throws: VipsError.self) {
      try image.applying("phbatch_point", ["program": .blob(bytes), "format": .choice("double")])
    }
    let wide = try image.applying("cast", ["format": .choice("double")])
    #expect(throws: VipsError.self) {
      try wide.applying("phbatch_point", ["program": .blob(bytes), "format": .choice("uchar")])
    }
    #expect(throws: VipsError.self) {
      try image.applying("phbatch_kernel", ["format": .choice("uchar")])
    }
  }
}
