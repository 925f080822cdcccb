import Foundation
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Colour spaces that a file describes by code points (CICP), chromaticities or gamma, not by a
/// profile.
@Suite struct CodePointTests {
  private static func png(_ colour: [Int], maximum: Int = 255) throws -> [UInt8] {
    try Samples.flat(colour, 4, 4, maximum: maximum).file("pngsave_target", ["strip": .flag(true)])
  }

  /// The first pixel of a rendition.
  private static func pixel(_ photo: [UInt8], _ output: String) throws -> [Int] {
    try Samples(file: Studio.develop(photo, "[]", output: output))[0, 0]
  }

  @Test func aPNGFileWithoutAColourSpaceIsReadAsSRGB() throws {
    let pixel = try Self.pixel(Self.png([200, 100, 50]), #""format": "png""#)
    #expect(pixel == [200, 100, 50])
  }

  /// P3's red described by cICP is the same colour as P3's red described by a profile.
  @Test func codePointsGiveTheSameColoursAsTheEquivalentProfile() throws {
    let plain = try Self.png([200, 100, 50])
    let byNumbers = PNGChunks.adding("cICP", [12, 13, 0, 1], to: plain)
    let profile = StandardProfile.displayP3.bytes
    let byProfile = try Samples.flat([200, 100, 50], 4, 4).file(
      fields: ["icc-profile-data": .blob(profile)])
    for output in [#""format": "png""#, #""format": "png", "profile": "display-p3""#] {
      #expect(try Self.pixel(byNumbers, output) == Self.pixel(byProfile, output), "\(output)")
    }
    #expect(
      try Self.pixel(byNumbers, #""format": "png", "profile": "preserve""#) == [200, 100, 50])
    #expect(try Self.pixel(byNumbers, #""format": "png""#)[0] > 205)
  }

  /// In a PNG file, code points override a profile.
  ///
  /// In the file with the code points 9 and 14, they mean the primaries and the transfer curve of
  /// BT.2020.
  @Test func codePointsOverrideAProfileInAPNGFile() throws {
    let tagged = try Samples.flat([120, 120, 120], 4, 4).file(
      fields: ["icc-profile-data": .blob(StandardProfile.proPhoto.bytes)])
    let both = PNGChunks.adding("cICP", [1, 13, 0, 1], to: tagged)
    #expect(try Self.pixel(both, #""format": "png""#) == [120, 120, 120])
    #expect(try Self.pixel(tagged, #""format": "png""#) != [120, 120, 120])
    let wide = PNGChunks.adding("cICP", [9, 14, 0, 1], to: try Self.png([120, 120, 120]))
    // The value 120 is ((120/255 + 0.0993) / 1.0993)^(1/0.45) in linear light, which is 132.4 of
    // 255 in sRGB.
    #expect(try Self.pixel(wide, #""format": "png""#) == [132, 132, 132])
  }

  /// High-dynamic-range grey in one channel is tone mapped like the same grey in three channels.
  @Test func greyInHighDynamicRangeIsToneMapped() throws {
    let points = [9, 16, 0, 1] as [UInt8]
    let grey = PNGChunks.adding("cICP", points, to: try Self.png([190]))
    let colour = PNGChunks.adding("cICP", points, to: try Self.png([190, 190, 190]))
    let pixel = try Self.pixel(colour, #""format": "png""#)
    #expect(try Self.pixel(grey, #""format": "png""#)[0] == pixel[0])
    #expect(pixel[0] != 190)
  }

  /// A maximum content light level of 0 means unknown; the peak of the mastering display is used
  /// instead.
  @Test func anUnknownMaximumContentLightLevelIsIgnored() throws {
    func photo(_ chunks: [(String, [UInt8])]) throws -> [UInt8] {
      try chunks.reduce(PNGChunks.adding("cICP", [9, 16, 0, 1], to: Self.png([200, 200, 200]))) {
        PNGChunks.adding($1.0, $1.1, to: $0)
      }
    }
    let screen = (
      "mDCV", [UInt8](repeating: 0, count: 16) + PNGChunks.bytes(40_000_000) + [0, 0, 0, 1]
    )
    let unknown = ("cLLI", [UInt8](repeating: 0, count: 8))
    let low = ("cLLI", PNGChunks.bytes(3_000_000) + PNGChunks.bytes(1_000_000))
    let output = #""format": "png""#
    #expect(
      try Self.pixel(photo([screen, unknown]), output) == Self.pixel(photo([screen]), output))
    #expect(try Self.pixel(photo([screen, low]), output) != Self.pixel(photo([screen]), output))
  }

  @Test func gammaAndPrimariesStatedInAPNGFileAreApplied() throws {
    let grey = try Self.png([128, 128, 128])
    func tagged(_ gamma: UInt32) -> [UInt8] {
      PNGChunks.adding("gAMA", PNGChunks.bytes(gamma), to: grey)
    }
    // The gamma 1.0 means linear light: 128/255 is 188 of 255 in sRGB.
    #expect(try Self.pixel(tagged(100_000), #""format": "png""#) == [188, 188, 188])
    // The gamma that most programs write for sRGB changes nothing.
    #expect(try Self.pixel(tagged(45_455), #""format": "png""#) == [128, 128, 128])
    #expect(
      try Self.pixel(PNGChunks.adding("sRGB", [0], to: tagged(100_000)), #""format": "png""#)
        == [128, 128, 128])
    #expect(try Self.pixel(tagged(0), #""format": "png""#) == [128, 128, 128])
    // The chromaticities of white, then green at the position of red, and red at the position of
    // green.
    let swapped: [UInt32] = [31_270, 32_900, 30_000, 60_000, 64_000, 33_000, 15_000, 6_000]
    let file = PNGChunks.adding(
      "cHRM", swapped.flatMap(PNGChunks.bytes), to: try Self.png([200, 90, 40]))
    let found = try Self.pixel(file, #""format": "png""#)
    #expect(zip(found, [90, 200, 40]).allSatisfy { abs($0 - $1) <= 1 }, "\(found)")
  }

  /// The curve of an RGB profile also applies to a picture with one grey channel.
  @Test func theCurveOfAnRGBProfileIsAppliedToAGreyPhoto() throws {
    // In sRGB, the linear light (128/255)^(563/256) is 127.8 of 255, and (128/255)^1.8 is 146.
    for (profile, wanted) in [(StandardProfile.adobeRGB, 128), (.proPhoto, 146)] {
      let pixel = try Self.pixel(Self.greyJPEG(profile.bytes), #""format": "png""#)
      #expect(pixel.allSatisfy { abs($0 - wanted) <= 1 }, "\(pixel)")
    }
  }

  /// A JPEG file with one grey channel and a profile that libvips would not write into it.
  private static func greyJPEG(_ profile: [UInt8]) throws -> [UInt8] {
    let plain = try Samples.flat([128], 16, 16).file("jpegsave_target", ["Q": .integer(100)])
    let content = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
    let length = content.count + 2
    return plain.prefix(2) + [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + content
      + plain.dropFirst(2)
  }

  // MARK: High dynamic range

  /// The linear light in cd/m² for each PQ sample.
  ///
  /// The values are BT.2100's own examples, checked with `eotf_ST2084` of colour-science 0.4.
  @Test(arguments: [
    (0.0, 0.0), (0.508_078, 100), (0.580_689, 203), (0.751_827, 1_000), (1, 10_000),
  ])
  func perceptualQuantizerSamplesAreDecoded(_ sample: Double, _ light: Double) {
    #expect(abs(HighDynamicRange.pqLight(sample) - light) < max(1e-6, light * 1e-4))
    #expect(abs(HighDynamicRange.pqSample(light) - sample) < 1e-5)
  }

  /// The linear light, 0…1, for each HLG sample.
  ///
  /// - Source: BT.2100-2, table 5; BT.2408-5, table 1: the white of graphics is at 75 %.
  @Test(arguments: [(0.0, 0.0), (0.5, 1.0 / 12), (0.75, 0.264_96), (1.0, 1.0)])
  func hybridLogGammaSamplesAreDecoded(_ sample: Double, _ light: Double) {
    #expect(abs(HighDynamicRange.hlgLight(sample) - light) < 1e-4)
  }

  /// Tone mapping leaves dark tones unchanged; bright tones approach white and keep their order.
  @Test(arguments: [HighDynamicRange.Transfer.pq, .hlg])
  func toneMappingCompressesHighlightsAndKeepsDarkTones(
    _ transfer: HighDynamicRange.Transfer
  ) throws {
    let range = HighDynamicRange(transfer, .rec2020, peak: 1_000)
    let curve = try #require(Self.curve(range))
    let levels = (0...1_000).map { curve(Double($0) / 1_000) }
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(abs(curve(transfer == .hlg ? 1 : HighDynamicRange.pqSample(1_000)) - 1) < 0.005)
    let dim = transfer == .hlg ? 0.4 : HighDynamicRange.pqSample(60)
    #expect(abs(curve(dim) - range.light(dim) / 203) < 1e-3)
  }

  private static func curve(_ range: HighDynamicRange) -> Curve? {
    guard case .channels(let red, _, _) = range.toSRGB.first else { return nil }
    return red.first
  }

  @Test func aHighDynamicRangePhotoIsReportedAndRenderedInStandardRange() throws {
    let level = Int((HighDynamicRange.pqSample(50) * 65_535).rounded())
    let plain = try Self.png([level, level, level], maximum: 65_535)
    let file = PNGChunks.adding("cICP", [9, 16, 0, 1], to: plain)
    let recipe = try Studio.recipe("[]")
    let (files, report) = try Studio.render(file, recipe)
    #expect(report.warnings.contains { $0.contains("PQ") && $0.contains("highlights") })
    // 50 cd/m² of the 203 cd/m² of reference white is 0.2463 in linear light; sRGB encodes it as
    // 0.5332 × 65,535.
    let pixel = try Samples(file: #require(files["out"]))[0, 0]
    #expect(pixel.allSatisfy { abs($0 - 34_945) < 80 }, "\(pixel)")
  }
}
