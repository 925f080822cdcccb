import Foundation
import TestReference
import Testing
import Vips

/// `phbatch_blur`, compared with a direct convolution in double precision.
@Suite struct BlurTests {
  private static let sizes = [(29, 17), (1, 1), (1, 40), (40, 1), (2, 3)]

  @Test(arguments: sizes, [0.3, 0.85, 2.7])
  func theBlurKernelMatchesADirectConvolution(_ size: (Int, Int), _ sigma: Double) throws {
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

  /// The kernel computes blocks of columns; this image is wider than one block.
  @Test func imagesWiderThanABlockMatchADirectConvolution() throws {
    let input = Raster.noise(600, 3, bands: 3).stored(as: .float)
    let output = try input.image(as: .float).applying(
      "phbatch_blur", ["sigma": .number(4), "format": .choice("float")])
    #expect(try input.blurred(sigma: 4).distance(to: output, as: .float) <= 1e-5)
  }

  /// Large blurs are computed only at knots, which are several pixels apart, and interpolated
  /// between the knots.
  ///
  /// The result differs from a Gaussian by less than one level of 255. The patterns are an edge, a
  /// bar one pixel wide, and a wave so short that the knots can hardly represent it. They vary only
  /// along one axis, so the expected Gaussian is computed along one axis only.
  @Test(arguments: [8.4, 8.6, 12, 17, 20, 40, 68, 136, 250])
  func largeBlursEqualAGaussian(_ sigma: Double) throws {
    let width = 400
    for pattern in 0..<3 {
      for bands in [1, 4] {
        let wave = 1.03 * 2 * Double.pi / (sigma / 4.25)
        let input = Raster(width, 40, bands: bands) { x, _, band in
          switch pattern {
          case 0: x < 150 + band ? 0 : 1
          case 1: x == 150 + band ? 1 : 0
          default: 0.5 + 0.5 * cos(wave * Double(x))
          }
        }
        let line = Raster(width, 1, bands: bands, input.value)
        let expected = line.blurredAlongRows(sigma: sigma)
        for turned in [false, true] {
          let image = try input.image(as: .float)
          let output = try (turned ? image.applying("rot", ["angle": .choice("d90")]) : image)
            .applying("phbatch_blur", ["sigma": .number(sigma), "format": .choice("float")])
          let back = turned ? try output.applying("rot", ["angle": .choice("d270")]) : output
          let found = Raster.values(of: try back.pixels(), as: .float)
          let pairs = zip(found, (0..<40).flatMap { _ in expected.values })
          let largest = pairs.map { abs($0 - $1) }.max() ?? .infinity
          #expect(largest <= 0.8 / 255, "pattern \(pattern), \(bands) bands")
        }
      }
    }
  }

  @Test(arguments: sizes, [0.3, 1, 2.7, 9])
  func aBoxBlurGivesTheMeanOfASquare(_ size: (Int, Int), _ radius: Double) throws {
    for format in SampleFormat.allCases {
      let input = Raster.noise(size.0, size.1, bands: 4).stored(as: format)
      let output = try input.image(as: format).applying(
        "phbatch_blur",
        ["sigma": .number(radius), "box": .flag(true), "format": .choice(format.rawValue)])
      let distance = try input.averaged(radius: radius).distance(to: output, as: format)
      #expect(distance <= format.tolerance, "\(format)")
    }
  }

  @Test(arguments: [0.3, 5, 250]) func aBlurredFlatImageStaysUnchanged(_ sigma: Double) throws {
    let input = Raster(33, 20, bands: 4) { _, _, band in Double(band * 85) / 255 }
    let output = try input.image(as: .uchar).applying(
      "phbatch_blur", ["sigma": .number(sigma), "format": .choice("uchar")])
    #expect(try output.pixels().firstDifference(from: input.bytes(as: .uchar)) == nil)
  }

  /// A photo that is decoded from top to bottom, and has more rows than libvips keeps, gives the
  /// same pixels as a photo in memory.
  @Test func aPhotoReadFromTopToBottomGivesTheSamePixels() throws {
    let input = Raster.noise(8, 5000, bands: 3)
    let plain = try input.image(as: .uchar).applying(
      "phbatch_blur", ["sigma": .number(250), "format": .choice("uchar")])
    let streamed = try input.image(as: .uchar).applying("sequential").applying(
      "phbatch_blur", ["sigma": .number(250), "format": .choice("uchar")])
    #expect(try streamed.pixels().firstDifference(from: plain.pixels()) == nil)
  }
}
