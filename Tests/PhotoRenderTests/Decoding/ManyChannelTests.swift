import FileStructure
import Foundation
import PhotoMetadata
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// JPEG XL files with channels in addition to colours and alpha, from the conformance files of
/// libjxl.
@Suite(.enabled(if: Corpus.isHere)) struct ManyChannelTests {
  private static func bytes(_ name: String) throws -> [UInt8] {
    let path = "\(Corpus.folder ?? "")/formats/jxl-conformance/\(name)/input.jxl"
    return Array(try Data(contentsOf: URL(filePath: path)))
  }

  @Test func theExtraChannelsOfAJPEGXLFileAreListed() throws {
    #expect(
      ExtraChannel.all(in: .bytes(try Self.bytes("spot"))) == [.alpha, .spotColour, .spotColour])
    #expect(ExtraChannel.all(in: .bytes(try Self.bytes("cmyk_layers"))) == [.black, .alpha])
    #expect(ExtraChannel.all(in: .bytes(try Self.bytes("cafe"))) == [])
    #expect(ExtraChannel.all(in: .bytes(try Self.bytes("alpha_premultiplied"))) == [.alpha])
  }

  /// The expected 16-bit mean colours are from imagecodecs 2026.3.6 with libjxl 0.11.2.
  @Test func spotColoursAreMixedIntoThePicture() throws {
    let file = try Self.bytes("spot")
    let header = try Renderer.header(of: .bytes(file))
    #expect(header.size == Size(600, 400))
    #expect((header.bands, header.hasAlpha) == (4, true))
    let (files, report) = try Studio.render(
      file, Studio.recipe("[]", output: #""format": "png", "profile": "preserve""#))
    // There may be other warnings, because libvips also reports warnings that other tests in this
    // process cause.
    #expect(
      report.warnings.contains("the photo's spot colours, 2 channels, are mixed into the picture"))
    let samples = try Samples(file: #require(files["out"]))
    let means = (0..<3).map { band in
      stride(from: band, to: samples.values.count, by: samples.bands)
        .reduce(0.0) { $0 + Double(samples.values[$1]) } / Double(600 * 400)
    }
    for (mean, wanted) in zip(means, [48_226.3, 28_024.4, 55_853.6]) {
      #expect(abs(mean - wanted) < 300, "\(means)")
    }
  }

  /// A photo of four inks.
  ///
  /// The fourth ink is stored in a separate channel; the word "black" is printed with this ink
  /// alone.
  @Test func theBlackChannelIsReadAsTheFourthInk() throws {
    let file = try Self.bytes("cmyk_layers")
    let header = try Renderer.header(of: .bytes(file))
    #expect((header.bands, header.interpretation, header.hasAlpha) == (5, "cmyk", true))
    let (files, report) = try Studio.render(file, Studio.recipe("[]"))
    #expect(!report.warnings.contains { $0.contains("channel") })
    let samples = try Samples(file: #require(files["out"]))
    #expect(samples.width == 512)
    // A pixel on the stem of the letter "b", then a pixel on the paper.
    #expect(samples[140, 40].prefix(3).allSatisfy { $0 < 80 }, "\(samples[140, 40])")
    #expect(samples[20, 20].prefix(3).allSatisfy { $0 > 240 })
  }

  /// A truncated file is damaged; no part of it is accepted as a picture.
  @Test(arguments: ["spot", "cmyk_layers"]) func aTruncatedFileWithManyChannelsIsAnError(
    _ name: String
  ) throws {
    let file = try Self.bytes(name)
    for share in stride(from: 1, through: 31, by: 6) {
      let cut = Array(file.prefix(file.count * share / 32))
      #expect(throws: RenderError.self) { try Studio.render(cut, Studio.recipe("[]")) }
    }
  }

  /// The predicted memory includes the channels that are not kept.
  @Test func thePredictedMemoryIncludesUnusedChannels() throws {
    let file = PhotoFile.bytes(try Self.bytes("spot"))
    var header = try Renderer.header(of: file)
    let renderer = Renderer(try Studio.recipe("[]"))
    let all = try renderer.plan(file, header).memory.usual
    header.otherChannels = []
    #expect(try renderer.plan(file, header).memory.usual <= all - 2 * 600 * 400 * 4)
  }
}
