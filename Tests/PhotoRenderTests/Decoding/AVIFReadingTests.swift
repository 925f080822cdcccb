import Foundation
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// AVIF files that libheif 1.15 reads wrongly, or not at all, unless phbatch corrects them.
@Suite(.enabled(if: Corpus.isHere)) struct AVIFReadingTests {
  private static func bytes(_ name: String) throws -> [UInt8] {
    let path = "\(Corpus.folder ?? "")/formats/avif/\(name).avif"
    return Array(try Data(contentsOf: URL(filePath: path)))
  }

  /// The crop, rotation and mirroring that the file's properties state are applied to the picture
  /// in this order.
  ///
  /// The test compares the result with a file that shows the same scene without these properties,
  /// from that file's pixel (272, 39) on.
  @Test func cropAndRotationPropertiesOfAnAVIFFileAreApplied() throws {
    let crop = try Samples(
      file: Studio.develop(Self.bytes("kimono.mirror-vertical.rotate270.crop"), "[]"))
    #expect((crop.width, crop.height) == (385, 330))
    let whole = try Samples(file: Studio.develop(Self.bytes("kimono"), "[]"))
    #expect((whole.width, whole.height) == (722, 1_024))
    var off = 0
    for y in stride(from: 0, to: 330, by: 3) {
      for x in stride(from: 0, to: 385, by: 3) {
        let pair = zip(crop[x, y].prefix(3), whole[x + 272, y + 39].prefix(3))
        off += pair.reduce(0) { $0 + abs($1.0 - $1.1) }
      }
    }
    #expect(Double(off) / (110 * 129 * 3) < 4)
  }

  /// The means of squares of 200 × 200 pixels, as decoded by Pillow 13.0.0 with libavif 1.4.2.
  private static let foxes: [[Double]] = [
    [38.0, 52.2, 52.7, 79.9, 49.0, 32.1], [35.1, 99.2, 103.0, 96.4, 59.1, 32.1],
    [32.5, 51.0, 112.3, 87.0, 49.3, 36.3], [30.3, 32.0, 66.6, 51.0, 31.6, 16.0],
  ]

  /// 10-bit grey with the limited range 64…940 is converted to the full range.
  @Test func greyInLimitedRangeIsStretchedToTheFullRange() throws {
    let file = try Studio.develop(Self.bytes("fox.profile0.10bpc.yuv420.monochrome"), "[]")
    let samples = try Samples(file: file)
    #expect((samples.width, samples.height) == (1_204, 800))
    let scale = Double(samples.maximum) / 255
    for (row, means) in Self.foxes.enumerated() {
      for (column, mean) in means.enumerated() {
        var sum = 0
        for y in 200 * row..<200 * row + 200 {
          for x in 200 * column..<200 * column + 200 { sum += samples[x, y, 0] }
        }
        let found = Double(sum) / 40_000 / scale
        #expect(abs(found - mean) < 0.6, "\(column), \(row): \(found), not \(mean)")
      }
    }
  }

  /// 10-bit alpha with the limited range 64…940 is converted to the full range, so pixels are
  /// opaque where alpha is 940.
  @Test func alphaInLimitedRangeIsStretchedToTheFullRange() throws {
    let name = "plum-blossom-large.profile0.10bpc.yuv420.alpha-limited"
    let recipe = #"[{"filter": "resize", "longEdge": 256}]"#
    let samples = try Samples(file: Studio.develop(Self.bytes(name), recipe))
    let alpha = stride(from: 3, to: samples.values.count, by: 4).map { samples.values[$0] }
    #expect(alpha.max() == samples.maximum)
    #expect(alpha.min() == 0)
  }
}

/// The conversion of samples to full range.
@Suite struct SampleStretchTests {
  private static func stretched(
    _ colours: [Int], maximum: Int, bits: Int? = nil, grey: Bool = false, alpha: Bool = false
  ) throws -> [Int] {
    let photo = Samples.flat(colours, 2, 2, maximum: maximum)
    var header = try Renderer.header(of: .bytes(photo.file()))
    (header.hasLimitedGrey, header.hasLimitedAlpha) = (grey, alpha)
    header.significantBits = bits
    var image = try photo.image()
    for step in SourceColour(header).normalization {
      image = try image.applying(step.operation.name, step.arguments.mapValues(\.argument))
    }
    return try Samples(image)[0, 0]
  }

  @Test(arguments: [(0, 0), (16, 0), (17, 1), (125, 127), (235, 255), (255, 255)])
  func eightBitGreyIsStretchedToTheFullRange(_ from: Int, _ to: Int) throws {
    #expect(
      try Self.stretched([from, from, from], maximum: 255, grey: true) == [to, to, to])
  }

  @Test(arguments: [(0, 0), (4_096, 0), (32_128, 32_767), (60_160, 65_535), (65_472, 65_535)])
  func tenBitGreyIsStretchedToTheFullRange(_ from: Int, _ to: Int) throws {
    let found = try Self.stretched([from, from, from], maximum: 65_535, bits: 10, grey: true)
    #expect(found.allSatisfy { abs($0 - to) <= 1 }, "\(found)")
  }

  @Test func alphaIsStretchedIndependentlyOfTheColours() throws {
    #expect(
      try Self.stretched([16, 100, 235, 235], maximum: 255, alpha: true) == [16, 100, 235, 255])
    #expect(
      try Self.stretched([16, 16, 16, 16], maximum: 255, grey: true) == [0, 0, 0, 16])
    #expect(
      try Self.stretched([65_472, 0, 65_472, 4_096], maximum: 65_535, bits: 10, alpha: true)
        == [65_535, 0, 65_535, 0])
  }
}
