import TestReference
import Testing
import Vips

/// `phbatch_median`, compared with sorting.
@Suite struct MedianTests {
  @Test(arguments: 1...5, [(29, 17), (1, 1), (1, 40), (130, 3)])
  func isTheMiddleOfTheSortedSquare(_ radius: Int, _ size: (Int, Int)) throws {
    for bands in [3, 4] {
      for format in SampleFormat.allCases {
        let input = Raster.noise(size.0, size.1, bands: bands, in: -0.1...1.1).stored(as: format)
        let expected = input.mapped { x, y, band in
          let square = (-radius...radius).flatMap { j in
            (-radius...radius).map { i in input.nearest(x + i, y + j, band) }
          }
          return square.sorted()[square.count / 2]
        }
        let output = try input.image(as: format).applying(
          "phbatch_median", ["radius": .integer(radius), "format": .choice(format.rawValue)])
        let difference = try output.pixels().firstDifference(from: expected.bytes(as: format))
        #expect(difference == nil, "\(bands) bands, \(format)")
      }
    }
  }

  /// The image has only two sample values.
  ///
  /// Many samples are thus equal, which could hide a missing comparator of the sorting network in
  /// other tests.
  @Test(arguments: 1...5) func countsSpecksInTwoColours(_ radius: Int) throws {
    let input = Raster.noise(50, 50, bands: 3).mapped { value in value < 0.5 ? 0 : 1 }
    let output = try input.image(as: .uchar).applying(
      "phbatch_median", ["radius": .integer(radius), "format": .choice("uchar")])
    let half = (2 * radius + 1) * (2 * radius + 1) / 2
    let expected = input.mapped { x, y, band in
      var count = 0.0
      for j in -radius...radius {
        for i in -radius...radius { count += input.nearest(x + i, y + j, band) }
      }
      return count > Double(half) ? 1 : 0
    }
    #expect(try output.pixels().firstDifference(from: expected.bytes(as: .uchar)) == nil)
  }
}

extension Raster {
  fileprivate func mapped(_ change: (Double) -> Double) -> Raster {
    mapped { x, y, band in change(value(x, y, band)) }
  }
}
