import TestReference
import Testing
import Vips

/// `phbatch_median`, compared with medians that are found by sorting.
@Suite struct MedianTests {
  @Test(arguments: 1...5, [(29, 17), (1, 1), (1, 40), (130, 3)])
  func theResultEqualsTheMiddleOfTheSortedValues(_ radius: Int, _ size: (Int, Int)) throws {
    for isOpaque in [true, false] {
      let bands = isOpaque ? 4 : 3
      for format in SampleFormat.allCases {
        let noise = Raster.noise(size.0, size.1, bands: bands, in: -0.1...1.1)
        let input = noise.mapped { x, y, band in
          band < 3 ? noise.value(x, y, band) : 1
        }.stored(as: format)
        let expected = input.medians(radius: radius)
        let output = try input.image(as: format).applying(
          "phbatch_median", ["radius": .integer(radius), "format": .choice(format.rawValue)])
        let difference = try output.pixels().firstDifference(from: expected.bytes(as: format))
        #expect(difference == nil, "\(bands) bands, \(format)")
      }
    }
  }

  /// Each colour channel is the median of the unpremultiplied values, weighted by alpha; the median
  /// of alpha has no weights.
  @Test(arguments: 1...5, [(29, 17), (1, 1), (130, 3), (600, 4)])
  func theMedianOfColoursIsWeightedByAlpha(_ radius: Int, _ size: (Int, Int)) throws {
    let noise = Raster.noise(size.0, size.1, bands: 4)
    let input = noise.mapped { x, y, band in
      // The left half is partly transparent, the right half opaque.
      let level = (noise.value(x, y, 3) * 4).rounded(.down) / 4
      let alpha = x > size.0 / 2 ? 1 : level
      return band == 3 ? alpha : noise.value(x, y, band) * alpha
    }.stored(as: .float)
    let expected = input.weightedMedians(radius: radius)
    let output = try input.image(as: .float).applying(
      "phbatch_median", ["radius": .integer(radius), "format": .choice("float")])
    #expect(try expected.distance(to: output, as: .float) < 4e-6)
  }

  /// The image has only the sample values 0 and 1.
  ///
  /// If the sorting network lacks a comparator, such an image gives a wrong result, while images
  /// with many different values may not.
  @Test(arguments: 1...5) func theMedianOfImagesWithTwoValuesIsCorrect(_ radius: Int) throws {
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
