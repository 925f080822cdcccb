import Testing
import Vips

/// `phbatch_mix` against its formula.
@Suite struct MixTests {
  @Test(arguments: SampleFormat.allCases, [0, 0.3, 1])
  func matchesItsFormula(_ from: SampleFormat, _ opacity: Double) throws {
    for bands in 1...5 {
      let base = Raster.noise(300, 5, bands: bands).stored(as: from)
      let top = Raster.noise(300, 5, bands: bands, in: 0.25...0.75).stored(as: from)
      let expected = Raster(300, 5, bands: bands) { x, y, band in
        let low = base.value(x, y, band)
        return low + opacity * (top.value(x, y, band) - low)
      }
      for to in SampleFormat.allCases {
        let output = try base.image(as: from).applying(
          "phbatch_mix",
          [
            "top": .image(try top.image(as: from)), "opacity": .number(opacity),
            "format": .choice(to.rawValue),
          ])
        #expect(try expected.distance(to: output, as: to) <= to.tolerance, "\(bands) to \(to)")
      }
    }
  }

  @Test func imagesThatDifferThrow() throws {
    let base = try Raster.noise(8, 8, bands: 3).image(as: .uchar)
    for top in [
      try Raster.noise(8, 9, bands: 3).image(as: .uchar),
      try Raster.noise(8, 8, bands: 4).image(as: .uchar),
      try Raster.noise(8, 8, bands: 3).image(as: .ushort),
    ] {
      #expect(throws: VipsError.self) {
        try base.applying(
          "phbatch_mix",
          ["top": .image(top), "opacity": .number(0.5), "format": .choice("uchar")])
      }
    }
  }
}
