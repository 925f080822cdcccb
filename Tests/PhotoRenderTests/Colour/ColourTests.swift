import Foundation
import PhotoRender
import TestSupport
import Testing
import Vips

/// Input and output profiles, compared with Little CMS.
@Suite struct ColourTests {
  private static let eight = #""format": "png", "bitDepth": "8""#
  private static let sixteen = #""format": "png", "bitDepth": "16""#

  private static func inputs() -> [(String, [UInt8])] {
    Profiles.named.map { ($0.name, $0.profile.bytes) } + [("swapped channels", Profiles.swapped)]
  }

  /// The largest difference between samples of pixels that are well inside sRGB.
  ///
  /// With 16-bit samples, Little CMS as called by libvips differs by up to 13 levels of 255 in
  /// pixels with a dark and a bright channel. It does not differ for the same colours in 8 bits,
  /// and phbatch's results for both depths agree. The tolerances for 16 bits are therefore wide.
  private static func difference(_ a: Samples, _ b: Samples, where inside: Samples) -> Int {
    let pixels = stride(from: 0, to: inside.values.count, by: 3).filter {
      inside.values[$0..<$0 + 3].allSatisfy { (9_000...64_000).contains($0) }
    }
    #expect(pixels.count > 300)
    let differences = zip(a.values, b.values).map { abs($0 - $1) }
    return pixels.map { max(differences[$0], differences[$0 + 1], differences[$0 + 2]) }.max() ?? 0
  }

  @Test(arguments: inputs(), [255, 65_535])
  func coloursAreConvertedByTheEmbeddedProfile(_ profile: (String, [UInt8]), _ maximum: Int) throws
  {
    let photo = try PointChart.samples(maximum: maximum)
      .file(fields: ["icc-profile-data": .blob(profile.1)])
    let wanted = try Profiles.littleCMS(photo)
    let result = try Samples(file: Studio.develop(photo, "[]", output: Self.sixteen))
    try #require(result.values.count == wanted.values.count)
    let worst = Self.difference(result, wanted, where: wanted)
    #expect(worst <= (maximum == 255 ? 257 : 2000), "\(profile.0): \(worst)")
  }

  /// The same colours in 8 and in 16 bits give the same result.
  @Test(arguments: inputs()) func photosWithEightAndSixteenBitsGiveTheSameColours(
    _ profile: (String, [UInt8])
  ) throws {
    let chart = PointChart.samples(maximum: 255)
    var wide = chart
    wide.maximum = 65_535
    wide.values = chart.values.map { $0 * 257 }
    let results = try [chart, wide].map {
      let photo = try $0.file(fields: ["icc-profile-data": .blob(profile.1)])
      return try Samples(file: Studio.develop(photo, "[]", output: Self.sixteen))
    }
    #expect(results[0].difference(from: results[1]) <= 4)
  }

  @Test(arguments: [1.0, 1.8, 2.2], [255, 65_535])
  func greyTonesAreConvertedByTheEmbeddedGreyProfile(_ gamma: Double, _ maximum: Int) throws {
    let ramp = Samples(
      width: 256, height: 1, bands: 1, maximum: maximum,
      values: (0...255).map { $0 * maximum / 255 })
    let photo = try ramp.file(fields: ["icc-profile-data": .blob(Profiles.grey(gamma: gamma))])
    let result = try Samples(file: Studio.develop(photo, "[]", output: Self.sixteen))
    for (level, x) in zip(ramp.values, 0...) {
      let light = pow(Double(level) / Double(maximum), (gamma * 256).rounded(.down) / 256)
      let wanted = PointFormulas.display(light) * 65_535
      #expect(result[x, 0].allSatisfy { abs(Double($0) - wanted) <= 4 }, "\(x): \(result[x, 0])")
    }
  }

  @Test(arguments: Profiles.named.map { $0.name })
  func outputsWithAnotherProfileShowTheSameColours(_ name: String) throws {
    let chart = PointChart.samples(maximum: 65_535)
    let file = try Studio.develop(
      chart.file(), "[]", output: Self.sixteen + #", "profile": "\#(name)""#)
    let worst = Self.difference(try Profiles.littleCMS(file), chart, where: chart)
    #expect(worst <= 3500, "\(name): \(worst) of 65535")
  }

  @Test(arguments: inputs()) func profilePreserveKeepsThePhotosSamplesAndProfile(
    _ profile: (String, [UInt8])
  ) throws {
    let chart = PointChart.samples(maximum: 255)
    let photo = try chart.file(fields: ["icc-profile-data": .blob(profile.1)])
    let file = try Studio.develop(photo, "[]", output: Self.eight + #", "profile": "preserve""#)
    let result = try Image.load(from: Source(bytes: file))
    guard case .blob(let embedded)? = result.field("icc-profile-data") else {
      Issue.record("no profile")
      return
    }
    #expect(embedded == profile.1)
    #expect(try Samples(result).difference(from: chart) <= 1)
  }

  @Test(arguments: ["jpeg", "png", "webp", "tiff"], Profiles.named.map { $0.name })
  func everyOutputFormatContainsTheOutputsProfile(_ format: String, _ name: String) throws {
    let photo = try Samples.flat([200, 100, 50], 16, 16).file()
    let output = #""format": "\#(format)", "profile": "\#(name)""#
    // A filter is needed, because an unchanged photo would be copied.
    let step = #"[{"filter": "invert"}]"#
    let image = try Image.load(from: Source(bytes: Studio.develop(photo, step, output: output)))
    let wanted = try #require(Profiles.named.first { $0.name == name }).profile.bytes
    guard case .blob(let embedded)? = image.field("icc-profile-data") else {
      Issue.record("no profile")
      return
    }
    #expect(embedded == wanted)
  }

  @Test func aCMYKPhotoIsConvertedToRGB() throws {
    let chart = Samples.flat([180, 90, 60], 32, 32)
    let cmyk = try chart.image().applying(
      "icc_transform", ["output-profile": .text("cmyk"), "input-profile": .text("srgb")])
    for embedded in [true, false] {
      let image = embedded ? cmyk : try cmyk.setting(["icc-profile-data": nil])
      let target = Target()
      try image.save(to: target, as: "jpegsave_target", ["Q": .integer(98)])
      let recipe = try Studio.recipe("[]")
      let (files, report) = try Studio.render(target.bytes(), recipe)
      let result = try Samples(file: #require(files["out"]))
      #expect(result.bands == 3)
      #expect(
        zip(result[16, 16], [180, 90, 60]).allSatisfy { abs($0 - $1) <= 16 }, "\(result[16, 16])")
      // Other tests in this process may have caused other warnings of libvips.
      let isWarned = report.warnings.contains { $0.contains("CMYK") }
      #expect(isWarned != embedded, "\(report.warnings)")
    }
  }

  /// Invalid profiles, and profiles for another number of channels, are ignored with a warning.
  @Test func unusableProfilesAreIgnoredWithAWarning() throws {
    let colour = Samples.flat([200, 100, 50], 16, 16)
    let cut = Array(StandardProfile.displayP3.bytes.prefix(200))
    for profile in [Array(repeating: 7, count: 300), cut, Profiles.grey(gamma: 1)] {
      let photo = try ProfiledFile.tiff(colour.image(), profile)
      let (files, report) = try Studio.render(photo, Studio.recipe("[]"))
      let result = try Samples(file: #require(files["out"]))
      #expect(result[8, 8] == [200, 100, 50])
      #expect(report.warnings.count == 1, "\(report.warnings)")
    }
  }

  /// The profile's matrix maps all colours to one line, so its colours cannot be used.
  ///
  /// The profile is ignored; otherwise the photo would be black.
  @Test func aProfileThatMapsAllColoursToOneLineIsIgnored() throws {
    var profile = StandardProfile.displayP3.bytes
    for entry in stride(from: 132, to: 132 + 12 * Int(profile[131]), by: 12) {
      let isColorant = profile[entry + 1..<entry + 4].elementsEqual("XYZ".utf8)
      if !isColorant { continue }
      let place = profile[entry + 4..<entry + 8].reduce(0) { $0 << 8 | Int($1) }
      profile.replaceSubrange(place + 8..<place + 20, with: [UInt8](repeating: 0, count: 12))
    }
    #expect(ICCProfile(profile) == nil)
    let photo = try ProfiledFile.tiff(Samples.flat([200, 100, 50], 16, 16).image(), profile)
    let (files, report) = try Studio.render(photo, Studio.recipe("[]"))
    #expect(try Samples(file: #require(files["out"]))[8, 8] == [200, 100, 50])
    #expect(report.warnings.contains { $0.contains("damaged and was ignored") })
  }

  /// A profile that Little CMS cannot connect to the sRGB profile is ignored with a warning.
  @Test(.enabled(if: Corpus.isHere)) func aProfileThatCannotBeConnectedToSRGBIsIgnored() throws {
    let folder = try #require(Corpus.folder)
    let data = try Data(
      contentsOf: URL(filePath: "\(folder)/icc/sharp/invalid-illuminant.icc"))
    let photo = try ProfiledFile.tiff(
      Samples.flat([200, 100, 50], 16, 16).image(), Array(data))
    let (files, report) = try Studio.render(photo, Studio.recipe("[]"))
    #expect(try Samples(file: #require(files["out"]))[8, 8] == [200, 100, 50])
    #expect(report.warnings.contains { $0.contains("damaged and was ignored") })
  }

  @Test func aPhotoWithSixteenBitsKeepsItsNumberOfLevels() throws {
    let ramp = (0..<65_536).flatMap { [$0, $0, 65_535 - $0] }
    let photo = try Samples(width: 256, height: 256, bands: 3, maximum: 65_535, values: ramp).file()
    let filters = #"[{"filter": "crop", "height": 250}, {"filter": "exposure", "stops": -0.05}]"#
    let result = try Samples(file: Studio.develop(photo, filters, output: #""format": "tiff""#))
    let levels = Set(stride(from: 0, to: result.values.count, by: 3).map { result.values[$0] })
    #expect(result.maximum == 65_535 && levels.count > 60_000, "\(levels.count)")
  }

  @Test(
    .enabled(if: Corpus.isHere),
    arguments: [
      "icc/libjxl/rgb-to-gbr-test.png", "icc/libjxl/P3-sRGB-red.png",
      "icc/libjxl/P3-sRGB-color-ring.png", "icc/libjxl/R2020-sRGB-color-bars.png",
      "icc/sharp/prophoto.png", "icc/vearutop-ultrahdr/sample_adobe_rgb.jpg",
      "icc/vearutop-ultrahdr/sample_display_p3.jpg", "icc/vearutop-ultrahdr/sample_rec_2020.jpg",
    ])
  func profilesOfCamerasGiveTheSameColoursAsLittleCMS(_ name: String) throws {
    let folder = try #require(Corpus.folder)
    let photo = [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
    let wanted = try Profiles.littleCMS(photo)
    let result = try Samples(file: Studio.develop(photo, "[]", output: Self.sixteen))
    try #require((result.width, result.height) == (wanted.width, wanted.height))
    let pixels = wanted.width * wanted.height
    var worst = 0
    for pixel in stride(from: 0, to: pixels, by: 1 + pixels / 200_000) {
      for band in 0..<3 {
        let pair = (
          result.values[pixel * result.bands + band], wanted.values[pixel * wanted.bands + band]
        )
        worst = max(worst, abs(pair.0 - pair.1))
      }
    }
    #expect(worst <= 400, "\(Double(worst) / 257) of 255")
  }
}
