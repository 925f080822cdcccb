import FileStructure
import Foundation
import PhotoMetadata
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// JPEG XL files of 10 and 12 bits.
@Suite struct JXLDepthTests {
  /// Noise of 16 bits, with the levels at which rounding is most difficult.
  private static func photo(bands: Int, maximum: Int = 65_535) -> Samples {
    var generator = SeededGenerator(seed: 27)
    let values = (0..<61 * 47 * bands).map { place in
      place < 64 ? place * maximum / 63 : Int.random(in: 0...maximum, using: &generator)
    }
    return Samples(width: 61, height: 47, bands: bands, maximum: maximum, values: values)
  }

  private static func output(_ depth: Int, _ more: String = "") -> String {
    #""format": "jxl", "bitDepth": \#(depth)\#(more)"#
  }

  private static func rendered(_ photo: Samples, _ output: String) throws -> [UInt8] {
    try Studio.develop(photo.file(), "[]", output: output)
  }

  private static func bits(_ file: [UInt8]) -> Int? { JXLSamples.bits(in: .bytes(file)) }

  /// The nearest level of `depth` bits.
  private static func level(_ sample: Int, _ depth: Int) -> Int {
    Int((Double(sample) * Double((1 << depth) - 1) / 65_535).rounded())
  }

  /// True if decoded samples are exactly the levels that are nearest to `samples`; a decoder may
  /// scale them by 32-bit floats.
  private static func areLevels(_ found: [Int], of samples: [Int], _ depth: Int) -> Bool {
    let white = Double((1 << depth) - 1)
    return found.count == samples.count
      && zip(found, samples).allSatisfy { found, sample in
        abs(Double(found) - Double(level(sample, depth)) * 65_535 / white) <= 1
      }
  }

  @Test(arguments: TestVolume.pairs([10, 12], [1, 2, 3, 4]))
  func losslessSamplesAreTheNearestLevels(_ depth: Int, _ bands: Int) throws {
    let photo = Self.photo(bands: bands)
    let file = try Self.rendered(photo, Self.output(depth, #", "lossless": true"#))
    #expect(Self.bits(file) == depth)
    let found = try Samples(file: file)
    #expect(found.bands == bands && found.maximum == 65_535)
    let isExact = Self.areLevels(found.values, of: photo.values, depth)
    #expect(isExact)
  }

  /// The lossy encoder gets all 16 bits, so that its errors alone remain.
  @Test(arguments: TestVolume.pairs([10, 12], [1, 2, 3, 4]))
  func lossyFilesStateTheirDepth(_ depth: Int, _ bands: Int) throws {
    var photo = Self.photo(bands: bands)
    photo.values = photo.values.map { 20_000 + $0 / 8 }
    let distance = #", "distance": 0.1"#
    let file = try Self.rendered(photo, Self.output(depth, distance))
    #expect(Self.bits(file) == depth)
    let found = try Samples(file: file)
    let deep = try Samples(file: Self.rendered(photo, Self.output(16, distance)))
    #expect(found.bands == bands && found.maximum == 65_535)
    let half = 65_535 / ((1 << depth) - 1) / 2 + 1
    #expect(found.difference(from: deep) <= half, "\(found.difference(from: deep))")
  }

  @Test(arguments: [(8, 8), (16, 16)]) func otherDepthsStay(_ depth: Int, _ stated: Int) throws {
    let photo = Self.photo(bands: 3)
    #expect(try Self.bits(Self.rendered(photo, Self.output(depth))) == stated)
    #expect(try Self.bits(Self.rendered(photo, #""format": "jxl""#)) == 16)
  }

  @Test func aPhotoOfEightBitsKeepsItsLevels() throws {
    let photo = Self.photo(bands: 3, maximum: 255)
    let file = try Self.rendered(photo, Self.output(10, #", "lossless": true"#))
    let found = try Samples(file: file)
    let isExact = Self.areLevels(found.values, of: photo.values.map { $0 * 257 }, 10)
    #expect(isExact)
    // Rendered again at 8 bits, the photo is the same.
    let again = try Studio.develop(
      file, "[]", output: #""format": "png", "bitDepth": 8, "dither": false"#)
    #expect(try Samples(file: again) == photo)
  }

  @Test(
    arguments: TestVolume.pairs(
      ["display-p3", "prophoto", "grey"], ["", #", "lossless": true"#]))
  func theProfileIsKept(_ profile: String, _ more: String) throws {
    let settings = #", "profile": "\#(profile)"\#(more)"#
    let photo = Self.photo(bands: 3)
    let file = try Self.rendered(photo, Self.output(10, settings))
    let deep = try Self.rendered(photo, Self.output(16, settings))
    let (header, other) = (
      try PhotoHeader(of: .bytes(file), InputSettings()),
      try PhotoHeader(of: .bytes(deep), InputSettings())
    )
    #expect(header.profile == other.profile && header.statedBits == 10)
    #expect(header.bands == other.bands && header.depth == 16)
    let lines = Renderer.description(of: .bytes(file), InputSettings())
    #expect(lines.contains { $0.contains("channels with 10 bits") }, "\(lines)")
  }

  @Test(arguments: [HDRTransfer.pq, .hlg]) func picturesForHDRDisplays(
    _ transfer: HDRTransfer
  ) throws {
    let photo = Self.photo(bands: 4)
    let settings = #", "hdr": "\#(transfer.rawValue)", "lossless": true"#
    let deep = try Self.rendered(photo, #""format": "jxl""# + settings)
    #expect(Self.bits(deep) == 16)
    for depth in [10, 12] {
      let file = try Self.rendered(photo, Self.output(depth, settings))
      let header = try PhotoHeader(of: .bytes(file), InputSettings())
      #expect(header.dynamicRange?.transfer == (transfer == .pq ? .pq : .hlg))
      #expect(header.statedBits == depth)
      let isExact = Self.areLevels(
        try Samples(file: file).values, of: try Samples(file: deep).values, depth)
      #expect(isExact)
    }
  }

  @Test func metadataAreKept() throws {
    let photo = try Self.photo(bands: 3, maximum: 255).file(
      "jpegsave_target", fields: ["exif-ifd0-Artist": .text("Ansel")])
    let file = try Studio.develop(photo, "[]", output: Self.output(10, #", "metadata": "all""#))
    #expect(Metadata(of: .bytes(file)).exif != nil && Self.bits(file) == 10)
  }

  @Test func theQualityIsLoweredToFit() throws {
    let photo = Self.photo(bands: 3)
    let usual = try Self.rendered(photo, Self.output(10))
    let limit = usual.count * 2 / 3
    let file = try Self.rendered(photo, Self.output(10, #", "maxBytes": \#(limit)"#))
    #expect(file.count <= limit && Self.bits(file) == 10)
  }

  @Test(arguments: ["", #", "lossless": true"#, #", "hdr": "pq""#])
  func theNumberOfThreadsDoesNotChangeTheFile(_ more: String) throws {
    let photo = try SyntheticPhoto.jpeg(width: 600, height: 400)
    let recipe = try Studio.recipe("[]", output: Self.output(10, more))
    var files: [[UInt8]] = []
    for threads in [1, 2, 5] {
      let handle = try #require(tmpfile())
      defer { fclose(handle) }
      var renderer = Renderer(recipe)
      renderer.threads = threads
      _ = try renderer.render(.bytes(photo), into: ["out": fileno(handle)])
      files.append(try Studio.content(of: handle))
    }
    #expect(files[0] == files[1] && files[0] == files[2] && files[0].count > 1000)
  }
}
