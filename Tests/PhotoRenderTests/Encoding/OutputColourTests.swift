import Foundation
import PhotoRender
import TestSupport
import Testing
import Vips

/// Outputs in colour spaces other than sRGB, compared with Little CMS.
@Suite struct OutputColourTests {
  /// The results of Little CMS for sRGB colours, converted to the corpus's profiles.
  private struct Table {
    let levels: [Int]
    let results: [(profile: String, intent: String, values: [Int])]

    init() throws {
      let place = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Oracles/output.txt")
      let lines = try String(contentsOf: place, encoding: .utf8).split(separator: "\n")
        .dropFirst().map { $0.split(separator: " ") }
      levels = lines.first?.compactMap { Int($0) } ?? []
      results = lines.dropFirst().map { words in
        (String(words[0]), String(words[1]), words.dropFirst(2).compactMap { Int($0) })
      }
    }

    var chart: Samples {
      Samples(width: levels.count / 3, height: 1, bands: 3, maximum: 255, values: levels)
    }
  }

  private static func profile(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: "\(Corpus.folder ?? "")/icc/\(path)")))
  }

  @Test(.enabled(if: Corpus.isHere)) func outputsWithAProfileFileHaveTheColoursOfLittleCMS() throws
  {
    let table = try Table()
    #expect(table.results.count == 7)
    for (path, intent, wanted) in table.results {
      let file = try Studio.develop(
        table.chart.file(), "[]",
        output: #"""
          "format": "tiff", "bitDepth": "16", "intent": "\#(intent)", "profile": "\#(path)"
          """#, files: [path: Self.profile(path)])
      let result = try Samples(file: file)
      try #require(result.values.count == wanted.count, "\(path)")
      let off = zip(result.values, wanted).map { abs($0 - $1) }
      let mean = Double(off.reduce(0, +)) / Double(off.count)
      // The limits are in levels of 65,535. libvips interpolates tables in 16 bits, Little CMS in
      // double precision.
      #expect(
        (off.max() ?? 0) <= (path.contains("cmyk") ? 1700 : 120), "\(path): \(off.max() ?? 0)")
      #expect(mean <= 60, "\(path) \(intent): \(mean)")
    }
  }

  @Test(.enabled(if: Corpus.isHere), arguments: [("jpeg", 1300.0), ("tiff", 1000)])
  func inksInAFileEqualThoseOfLittleCMS(_ format: String, _ most: Double) throws {
    let table = try Table()
    let path = "libvips/cmyk.icm"
    let wanted = try #require(table.results.first { $0.profile == path && $0.intent == "relative" })
    // Each colour is a patch of 16 × 16 pixels, because JPEG compresses blocks.
    let chart = try Samples(
      table.chart.image().applying(
        "zoom", ["xfac": .integer(16), "yfac": .integer(16)]))
    let own = format == "jpeg" ? #", "quality": 100"# : ""
    let file = try Studio.develop(
      chart.file(), "[]", output: #""format": "\#(format)", "profile": "\#(path)"\#(own)"#,
      files: [path: Self.profile(path)])
    let image = try Image.load(from: Source(bytes: file))
    #expect(image.interpretation == "cmyk" && image.bands == 4)
    let result = try Samples(image)
    var off = 0.0
    for patch in 0..<table.levels.count / 3 {
      let found = result[16 * patch + 8, 8]
      for band in 0..<4 {
        off = max(off, abs(Double(found[band]) * 257 - Double(wanted.values[4 * patch + band])))
      }
    }
    #expect(off <= most, "\(off)")
    // phbatch converts the file back to sRGB, where the grey is within 6 levels of the original:
    // inks can print this grey, so it is not clipped.
    let back = try Samples(file: Studio.develop(file, "[]"))
    #expect(back.bands == 3)
    let grey = table.levels.count / 3 - 6
    let seen = back[16 * grey + 8, 8]
    #expect(zip(seen, [96, 96, 96]).allSatisfy { abs($0 - $1) <= 6 }, "\(seen)")
  }

  /// Little CMS finds the original colours in each file.
  @Test(
    arguments: ["display-p3", "adobe-rgb", "prophoto", "rec2020"],
    ["jpeg", "png", "webp", "tiff", "avif", "heic", "jxl"])
  func littleCMSFindsTheOriginalColoursInEachOutputSpace(_ profile: String, _ format: String) throws
  {
    let colours = [[200, 40, 40], [40, 180, 60], [60, 60, 200], [240, 240, 235], [90, 70, 50]]
    for colour in colours {
      let file = try Studio.develop(
        Samples.flat(colour, 48, 32).file(), "[]",
        output: #""format": "\#(format)", "profile": "\#(profile)", "quality": 95"#
          .replacingOccurrences(
            of: #", "quality": 95"#,
            with: format == "png" || format == "tiff" ? "" : #", "quality": 95"#))
      let image = try Image.load(from: Source(bytes: file))
      #expect(image.metadataNames.contains("icc-profile-data"), "\(format)")
      let seen = try Samples(
        image.applying(
          "icc_transform", ["output-profile": .text("srgb"), "embedded": .flag(true)]))
      let found = seen[20, 10]
      #expect(zip(found, colour).allSatisfy { abs($0 - $1) <= 4 }, "\(format) \(profile) \(found)")
    }
  }

  @Test(arguments: ["jpeg", "png", "tiff", "avif", "heic", "jxl"])
  func anOutputInGreyHasOneChannel(_ format: String) throws {
    let file = try Studio.develop(
      Samples.flat([200, 40, 40], 48, 32).file(), "[]",
      output: #""format": "\#(format)", "profile": "grey""#)
    let image = try Image.load(from: Source(bytes: file))
    // libheif's readers return three channels for files that store one channel.
    #expect(image.bands == (["avif", "heic"].contains(format) ? 3 : 1), "\(image.bands)")
    // The luminance Y of (200, 40, 40) under D50 is 0.1459, which the grey profile encodes as 107.
    let found = try Samples(image)[20, 10][0]
    #expect(abs(found - 107) <= 2, "\(format): \(found)")
  }

  @Test(arguments: ["webp"]) func greyIsStoredInThreeChannelsIfNecessary(_ format: String) throws {
    let file = try Studio.develop(
      Samples.flat([200, 40, 40], 48, 32).file(), "[]",
      output: #""format": "\#(format)", "profile": "grey", "lossless": true"#)
    let found = try Samples(file: file)[20, 10]
    #expect(found.count == 3 && Set(found).count == 1 && abs(found[0] - 107) <= 1, "\(found)")
  }

  @Test func aGreyOutputKeepsAlpha() throws {
    let file = try Studio.develop(
      Samples.flat([200, 40, 40, 128], 12, 8).file(), "[]",
      output: #""format": "png", "profile": "grey""#)
    let found = try Samples(file: file)[3, 3]
    #expect(found.count == 2 && abs(found[0] - 107) <= 1 && found[1] == 128, "\(found)")
  }

  @Test(.enabled(if: Corpus.isHere)) func aCMYKProfileForAFormatWithoutInksIsRefused() throws {
    let path = "libvips/cmyk.icm"
    let photo = try Samples.flat([200, 40, 40], 12, 8).file()
    #expect(throws: RenderError.unfitProfile(path, format: "png")) {
      _ = try Studio.develop(
        photo, "[]", output: #""format": "png", "profile": "\#(path)""#,
        files: [path: Self.profile(path)])
    }
  }

  @Test func onlySomeFormatsContainTheSRGBProfile() throws {
    let photo = try Samples.flat([200, 40, 40], 48, 32).file()
    for format in ["jpeg", "png", "webp", "tiff", "heic", "avif", "jxl", "gif"] {
      let file = try Studio.develop(photo, "[]", output: #""format": "\#(format)""#)
      let profile = StandardProfile.srgb.bytes
      // PNG and JPEG XL compress the profile, so its bytes are not found.
      let holds = file.contains(profile)
      #expect(holds == ["jpeg", "webp", "tiff", "heic"].contains(format), "\(format)")
    }
  }

  @Test(
    .enabled(if: ExifTool.isHere),
    arguments: [("srgb", "1", "13"), ("display-p3", "12", "13"), ("rec2020", "9", "14")])
  func anAVIFFileStatesItsColourSpaceByCodePoints(
    _ profile: String, _ primaries: String, _ transfer: String
  ) throws {
    let file = try Studio.develop(
      Samples.flat([200, 40, 40], 48, 32).file(), "[]",
      output: #""format": "avif", "profile": "\#(profile)""#)
    let tags = try ExifTool.tags(of: file)
    #expect(tags["QuickTime:ColorPrimaries"] == primaries, "\(tags)")
    #expect(tags["QuickTime:TransferCharacteristics"] == transfer)
    #expect(tags["QuickTime:MatrixCoefficients"] == (profile == "rec2020" ? "9" : "6"))
  }
}
