import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Renditions that miss `maxBytes` or `minSaving`, and the hints of these errors.
@Suite struct BudgetTests {
  private static func photo(quality: Int) throws -> [UInt8] {
    try SyntheticPhoto.jpeg(width: 160, height: 120, quality: quality)
  }

  private static func render(
    _ photo: [UInt8], _ output: String, copiesOriginals: Bool = true
  ) throws -> Rendering {
    var renderer = try Renderer(Studio.recipe("[]", output: output))
    renderer.copiesOriginals = copiesOriginals
    return try Studio.render(photo, renderer).report
  }

  /// The reason why the rendition misses its budget; nil if it does not.
  private static func miss(
    _ photo: [UInt8], _ output: String, copiesOriginals: Bool = true
  ) throws -> BudgetMiss? {
    do {
      _ = try render(photo, output, copiesOriginals: copiesOriginals)
    } catch RenderError.overBudget(_, let miss) {
      return miss
    }
    return nil
  }

  @Test func aRenditionThatMissesMinSavingFailsIfTheOriginalCannotBeCopied() throws {
    let photo = try Self.photo(quality: 40)
    let output = #""format": "jpeg", "quality": 100, "minSaving": 0.5, "keepIfSmaller": true"#
    #expect(try Self.render(photo, output).renditions.first?.isOriginal == true)
    let miss = try #require(try Self.miss(photo, output, copiesOriginals: false))
    #expect(miss.message.contains("cannot be copied in its place: the copy would be"))
    #expect(!miss.hint.contains("keepIfSmaller"))
    // The rendition is below `maxBytes`, and the original is not.
    let large = try Self.photo(quality: 95)
    let limited = output.replacing("100", with: "94").replacing("0.5", with: "0.9")
    let both = try #require(
      try Self.miss(large, limited + #", "maxBytes": \#(large.count - 1)"#))
    #expect(both.message.contains("'maxBytes'"))
  }

  /// No quality, or no lossless encoding, fits into `maxBytes`, but the original does.
  @Test(arguments: [
    #""format": "jpeg", "quality": 98, "minQuality": 97, "keepIfSmaller": true"#,
    #""format": "jpeg", "quality": 98, "minQuality": 97, "keepIfSmaller": true, "minSaving": 0.1"#,
    #""format": "png""#, #""format": "png", "compression": 1, "keepIfSmaller": true"#,
  ])
  func anOriginalThatFitsReplacesARenditionThatDoesNot(_ output: String) throws {
    let photo =
      output.contains("jpeg")
      ? try Self.photo(quality: 40)
      : try Studio.develop(
        SyntheticPhoto.png(width: 160, height: 120), "[]",
        output: #""format": "png", "compression": 9, "metadata": "none""#)
    let limited = output + #", "maxBytes": \#(photo.count)"#
    let rendition = try Self.render(photo, limited).renditions.first
    #expect(rendition?.isOriginal == true && rendition?.quality == nil)
    let miss = try #require(try Self.miss(photo, limited, copiesOriginals: false))
    #expect(miss.message.contains("that 'maxBytes' allows"))
    // An original that exceeds the limit is never copied.
    #expect(try Self.miss(photo, output + #", "maxBytes": \#(photo.count - 1)"#) != nil)
  }

  @Test func withoutKeepIfSmallerTheHintNamesOutput() throws {
    let photo = try Self.photo(quality: 40)
    let miss = try Self.miss(photo, #""format": "jpeg", "quality": 100, "minSaving": 0.5"#)
    #expect(try #require(miss).hint.contains("\"keepIfSmaller\": true and --output"))
  }

  @Test func withoutMinSavingARenditionThatSavesNothingIsKept() throws {
    let report = try Self.render(
      Self.photo(quality: 40), #""format": "jpeg", "quality": 100, "keepIfSmaller": true"#,
      copiesOriginals: false)
    #expect(report.renditions.first?.isOriginal == false)
    #expect(report.warnings.contains { $0.contains("saves nothing") })
  }

  /// `"profile": "preserve"` asks for the inks that the bytes have; any other profile for colours.
  @Test(arguments: [(#", "profile": "preserve""#, true), ("", false)])
  func thePhotoOfInksIsCopiedIfItsProfileIsPreserved(_ profile: String, _ isCopied: Bool) throws {
    let inks = try Samples.noise(64, 48, bands: 4).image()
      .applying("copy", ["interpretation": .choice("cmyk")])
    let press = try Samples.flat([0, 0, 0], 1, 1).image().applying(
      "icc_transform", ["output-profile": .text("cmyk"), "input-profile": .text("srgb")])
    let photo = try SyntheticPhoto.bytes(
      inks.setting(["icc-profile-data": press.field("icc-profile-data")]), "jpegsave_target",
      ["Q": .integer(30)])
    let report = try Self.render(
      photo, #""format": "jpeg", "quality": 100, "keepIfSmaller": true"# + profile)
    #expect(report.renditions.first?.isOriginal == isCopied, "\(report.warnings)")
  }

  /// Without `minQuality`, a quality below the format's lowest is itself the lowest.
  @Test func theHintOfALowQualityNamesMinQuality() throws {
    let noise = try SyntheticPhoto.noise(width: 64, height: 64)
    let low = #""format": "jpeg", "quality": 30, "maxBytes": 150"#
    let miss = try #require(try Self.miss(noise, low))
    #expect(miss.message.contains("at quality 30"))
    #expect(miss.hint.contains("set a lower 'minQuality'"))
    let lowest = try #require(try Self.miss(noise, low + #", "minQuality": 1"#))
    #expect(!lowest.hint.contains("minQuality"))
    #expect(
      try Self.miss(noise, low.replacing("150", with: "3000") + #", "minQuality": 1"#) == nil)
  }

  @Test(arguments: ["png", "dzi"]) func theHintOfAQualityThatIsNotLoweredNamesOtherSettings(
    _ format: String
  ) throws {
    let miss = try Self.miss(
      Self.photo(quality: 90), #""format": "\#(format)", "maxBytes": 200"#)
    #expect(try #require(miss).hint.contains("its format's settings"))
  }
}
