import Foundation
import PhotoRecipes
import PhotoRender
import TestSupport
import Testing
import Vips

/// Masks from image files.
@Suite struct ImageMaskTests {
  private static func develop(
    _ photo: Samples, _ file: [UInt8], feather: Double = 0
  ) throws -> Samples {
    try MaskTests.develop(
      photo,
      #"[{"filter": "invert", "mask": {"image": {"file": "m", "feather": \#(feather)}}}]"#,
      files: ["m": file])
  }

  /// The luminance of the mask at a position in the frame, interpolated between the centres of the
  /// mask's pixels.
  private static func coverage(_ mask: Samples, _ u: Double, _ v: Double) -> Double {
    let x = min(max(u * Double(mask.width) - 0.5, 0), Double(mask.width - 1))
    let y = min(max(v * Double(mask.height) - 0.5, 0), Double(mask.height - 1))
    let (left, top) = (Int(x), Int(y))
    func level(_ x: Int, _ y: Int) -> Double {
      let pixel = mask[min(x, mask.width - 1), min(y, mask.height - 1)]
      let alpha =
        pixel.count.isMultiple(of: 2) ? Double(pixel[pixel.count - 1]) : Double(mask.maximum)
      return Double(pixel[0]) * alpha / Double(mask.maximum) / Double(mask.maximum)
    }
    let (right, low) = (x - Double(left), y - Double(top))
    return (1 - low) * ((1 - right) * level(left, top) + right * level(left + 1, top))
      + low * ((1 - right) * level(left, top + 1) + right * level(left + 1, top + 1))
  }

  private static let masks: [(String, Samples)] = [
    ("of one pixel", .flat([77], 1, 1)), ("grey", Samples.noise(9, 6, bands: 1)),
    ("of the photo's size", Samples.noise(60, 40, bands: 1)),
    ("tall", Samples.noise(5, 90, bands: 1)),
    ("grey with alpha", Samples.noise(9, 6, bands: 2)),
    ("16 bits", Samples.noise(9, 6, bands: 1, maximum: 65_535)),
    ("16 bits with alpha", Samples.noise(9, 6, bands: 2, maximum: 65_535)),
  ]

  /// Float samples are used as coverages without a conversion.
  @Test(arguments: [1, 3]) func floatSamplesOfAMaskAreCoverages(_ bands: Int) throws {
    let values: [Float] = [0, 0.25, 0.5, 1].flatMap { Array(repeating: $0, count: bands) }
    let target = Target()
    try Image(samples: values, width: 4, height: 1, bands: bands).save(
      to: target, as: "tiffsave_target")
    let result = try Self.develop(.flat([40, 40, 40], 8, 1), target.bytes())
    #expect(result[0, 0] == [40, 40, 40] && result[7, 0] == [215, 215, 215])
    let middle = result[3, 0, 0]
    #expect(abs(Double(middle) - (40 + 175 * 0.3125)) <= 1)
  }

  @Test func floatAlphaOfAMaskIsACoverage() throws {
    let target = Target()
    try Image(samples: [1, 1, 1, 0.5] as [Float], width: 1, height: 1, bands: 4).applying(
      "copy", ["interpretation": .choice("scrgb")]
    ).save(to: target, as: "tiffsave_target")
    let result = try Self.develop(.flat([40, 40, 40], 4, 4), target.bytes())
    #expect(abs(result[2, 2, 0] - 128) <= 1)
  }

  /// A mask gives the same result if its file is rotated by an orientation tag.
  @Test func aMaskFileIsRotatedByItsOrientationTag() throws {
    let mask = Samples.noise(9, 6, bands: 1)
    let photo = Samples.noise(60, 40)
    let turned = Samples(
      width: 6, height: 9, bands: 1, maximum: 255,
      values: (0..<54).map {
        // The stored mask is the upright mask after a quarter turn to the right.
        mask[$0 / 6, 5 - $0 % 6, 0]
      })
    let file = try turned.file(
      "tiffsave_target", fields: ["orientation": .integer(8)])
    let upright = try Self.develop(photo, mask.file())
    let result = try Self.develop(photo, file)
    #expect(result.difference(from: upright) <= 1)
  }

  @Test(arguments: masks.indices, [255, 65_535])
  func maskFilesOfAnyFormatAreStretchedToTheFrame(_ index: Int, _ maximum: Int) throws {
    let (name, mask) = Self.masks[index]
    let photo = Samples.noise(60, 40, maximum: maximum)
    let result = try Self.develop(photo, mask.file())
    // The number of levels in the mask file limits the accuracy.
    let step = mask.maximum == 255 ? 1.1 / 255 : 1.1 / 65_535
    var worst = 0.0
    for y in 0..<40 {
      for x in 0..<60 {
        let cover = Self.coverage(mask, (Double(x) + 0.5) / 60, (Double(y) + 0.5) / 40)
        for (before, after) in zip(photo[x, y], result[x, y]) {
          let wanted = Double(before) + cover * Double(maximum - 2 * before)
          worst = max(worst, abs(wanted - Double(after)) - 1)
        }
      }
    }
    #expect(worst <= step * Double(maximum), "\(name): \(worst)")
  }

  @Test func theCoverageOfAColourIsItsLuminance() throws {
    let photo = Samples.flat([0, 0, 0], 4, 4)
    var levels: [Int] = []
    for colour in [[255, 255, 255], [0, 255, 0], [255, 0, 0], [0, 0, 255], [0, 0, 0]] {
      levels.append(try Self.develop(photo, Samples.flat(colour, 3, 3).file())[1, 1][0])
    }
    #expect(levels[0] == 255 && levels[4] == 0)
    #expect(levels == levels.sorted(by: >) && Set(levels).count == 5)
  }

  /// A hard edge becomes the integral of a Gaussian, for any feather.
  @Test(arguments: [0.02, 0.1, 0.4]) func aFeatheredEdgeFollowsAGaussian(_ feather: Double) throws {
    var values: [Int] = []
    for _ in 0..<400 { values += (0..<1600).map { $0 < 800 ? 0 : 255 } }
    let mask = Samples(width: 1600, height: 400, bands: 1, maximum: 255, values: values)
    let photo = Samples.flat([0, 0, 0], 800, 200, maximum: 65_535)
    let result = try Self.develop(photo, mask.file(), feather: feather)
    let sigma = feather * 200
    for x in stride(from: 0, to: 800, by: 7) where abs(Double(x) - 399.5) < 400 - 2 * sigma {
      let wanted = 0.5 * erfc(-(Double(x) + 0.5 - 400) / sigma / 2.0.squareRoot())
      #expect(abs(Double(result[x, 100, 0]) / 65_535 - wanted) < 0.02, "\(x)")
    }
  }

  @Test(arguments: ["just a text", "", "\u{89}PNG\r\n\u{1A}\n"])
  func theErrorNamesAnUnreadableMaskFile(_ text: String) throws {
    let photo = Samples.noise(8, 8)
    for filters in [
      #"[{"filter": "invert", "mask": {"image": {"file": "masks/m.txt"}}}]"#,
      #"[{"filter": "watermark", "image": "masks/m.txt"}]"#,
    ] {
      #expect {
        try Studio.develop(photo.file(), filters, files: ["masks/m.txt": Array(text.utf8)])
      } throws: { error in
        guard case RenderError.unreadableFile("masks/m.txt", _) = error else { return false }
        return true
      }
    }
  }

  /// A damaged mask file is reported as an error in this file, not in the photo.
  @Test func theErrorNamesATruncatedMaskFile() throws {
    let file = try Samples.noise(200, 200, bands: 1).file()
    #expect {
      try Self.develop(Samples.noise(8, 8), Array(file.prefix(5000)))
    } throws: { error in
      guard case RenderError.unreadableFile("m", _) = error else { return false }
      return true
    }
  }
}
