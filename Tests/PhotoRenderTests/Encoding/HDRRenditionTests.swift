import FileStructure
import Foundation
import PhotoMetadata
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Renditions for HDR displays: light above white in PQ and HLG.
@Suite struct HDRRenditionTests {
  /// A photo of one colour with a gain map of one level.
  private static func photo(_ colour: [Int], level: Int) throws -> [UInt8] {
    let best: [String: Argument] = ["Q": .integer(100), "subsample-mode": .choice("off")]
    return UltraHDRFile.bytes(
      base: try Samples.flat(colour, 64, 64).file("jpegsave_target", best),
      map: try Samples.flat([level], 32, 32).file("jpegsave_target", best), .adobe)
  }

  /// The light of a grey level with a gain of the map, relative to white; see `UltraHDRFile`.
  private static func light(_ grey: Double, level: Double) -> Double {
    let gain = exp2(-1 + 4 * level / 255)
    return (PointFormulas.light(grey / 255) + 1.0 / 64) * gain - 1.0 / 64
  }

  /// The light of a PQ sample relative to 203 cd/m².
  ///
  /// - Source: BT.2100-2, table 4.
  private static func pqLight(_ sample: Double) -> Double {
    let power = pow(sample, 1 / 78.84375)
    let ratio = max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power)
    return 10_000 / 203 * pow(ratio, 1 / 0.1593017578125)
  }

  /// The light of a grey HLG sample relative to 203 cd/m².
  ///
  /// - Source: BT.2100-2, table 5.
  private static func hlgLight(_ sample: Double) -> Double {
    let scene =
      sample <= 0.5
      ? sample * sample / 3 : (exp((sample - 0.55991073) / 0.17883277) + 0.28466892) / 12
    return pow(scene, 1.2) / 0.203
  }

  /// The samples, 0…1, in the middle of a rendition.
  private static func samples(_ file: [UInt8], bits: Int = 12) throws -> [Double] {
    let samples = try Samples(file: file)
    #expect(samples.maximum == 65_535)
    let white = bits == 16 ? 65_535.0 : Double(65_536 - (1 << (16 - bits)))
    return samples[samples.width / 2, samples.height / 2].map { Double($0) / white }
  }

  private static let formats = [
    #""format": "avif", "lossless": true, "bitDepth": 12"#,
    #""format": "heic", "quality": 100, "subsampling": "4:4:4", "bitDepth": 12"#,
    #""format": "jxl", "lossless": true"#,
  ]

  @Test(arguments: formats) func theGainsAreInThePicture(_ format: String) throws {
    let photo = try Self.photo([150, 150, 150], level: 200)
    for (transfer, decode) in [("pq", Self.pqLight), ("hlg", Self.hlgLight)] {
      for (filters, stops) in [
        ("[]", 0.0), (#"[{"filter": "exposure", "stops": 0.5}]"#, 0.5),
        (#"[{"filter": "crop", "left": 20, "top": 8}, {"filter": "resize", "width": 16}]"#, 0),
      ] {
        let wanted = Self.light(150, level: 200) * exp2(stops)
        let recipe = try Studio.recipe(filters, output: #"\#(format), "hdr": "\#(transfer)""#)
        let (files, report) = try Studio.render(photo, recipe)
        #expect(report.warnings == [])
        let file = try #require(files["out"])
        let isJXL = format.contains("jxl")
        for sample in try Self.samples(file, bits: isJXL ? 16 : 12) {
          #expect(abs(decode(sample) / wanted - 1) < 0.01, "\(format) \(transfer) \(filters)")
        }
        #expect(GainMap(of: .bytes(file)) == nil)
        if !isJXL {
          let points = try #require(ColourTags(of: .bytes(file)).codePoints)
          #expect(points.primaries == 9 && points.transfer == (transfer == "pq" ? 16 : 18))
        }
      }
    }
  }

  /// A photo with a dark and a white half, which both have the gain of one level of the map.
  private static func halves(level: Int) throws -> [UInt8] {
    let best: [String: Argument] = ["Q": .integer(100), "subsample-mode": .choice("off")]
    let base = Samples(
      width: 64, height: 64, bands: 3, maximum: 255,
      values: (0..<64 * 64).flatMap { [Int](repeating: $0 % 64 < 32 ? 60 : 255, count: 3) })
    return UltraHDRFile.bytes(
      base: try base.file("jpegsave_target", best),
      map: try Samples.flat([level], 32, 32).file("jpegsave_target", best), .adobe)
  }

  /// The light in the middle of both halves of a rendition.
  private static func light(ofHalves file: [UInt8]) throws -> (dark: Double, bright: Double) {
    let samples = try Samples(file: file)
    let light = [16, 48].map { x in pqLight(Double(samples[x, 32][0]) / 65_520) }
    return (light[0], light[1])
  }

  /// An automatic exposure multiplies all light by the same factor, as `exposure` does.
  @Test(arguments: ["autoExposure", "auto"]) func anAutomaticExposureKeepsLightAboveWhite(
    _ filter: String
  ) throws {
    let photo = try Self.halves(level: 200)
    let output = Self.formats[0] + #", "hdr": "pq", "profile": "srgb""#
    let before = try Self.light(ofHalves: Studio.develop(photo, "[]", output: output))
    let after = try Self.light(
      ofHalves: Studio.develop(photo, #"[{"filter": "\#(filter)"}]"#, output: output))
    #expect(before.bright > 4)
    #expect(after.bright / before.bright > 0.7, "\(before) \(after)")
    if filter == "autoExposure" {
      #expect(abs(after.bright / before.bright / (after.dark / before.dark) - 1) < 0.02)
    }
  }

  /// `highlights` of −1 brings the light of the brightest places back to white.
  @Test func highlightsBringBackTheLightOfAGainMap() throws {
    let output = Self.formats[0] + #", "hdr": "pq", "profile": "srgb""#
    let file = try Studio.develop(
      Self.halves(level: 200), #"[{"filter": "highlights", "amount": -1}]"#, output: output)
    #expect(try Self.light(ofHalves: file).bright < 1.1)
  }

  /// The rendition is 10 bits deep by default, and phbatch reads it as a picture with a high dynamic
  /// range.
  @Test(arguments: ["avif", "heic", "jxl"]) func aRenditionIsRead(_ format: String) throws {
    let photo = try Self.photo([120, 160, 90], level: 220)
    let output = #""format": "\#(format)", "hdr": "pq", "quality": 95"#
    let file = try Studio.develop(photo, "[]", output: output)
    let header = try PhotoHeader(of: .bytes(file), InputSettings())
    #expect(header.dynamicRange?.transfer == .pq && header.dynamicRange?.primaries == .rec2020)
    #expect(header.depth == 16)
    if format != "jxl" { #expect(header.significantBits == 10) }
    // Rendered again, the light is the same.
    let again = try Studio.develop(file, "[]", output: output)
    let (first, second) = (try Samples(file: file), try Samples(file: again))
    for (a, b) in zip(first[32, 32], second[32, 32]) { #expect(abs(a - b) < 400, "\(a), \(b)") }
  }

  /// A photo without light above white has white at 203 cd/m².
  @Test func aStandardPhotoKeepsItsWhite() throws {
    let photo = try Samples.flat([255, 255, 255], 32, 32).file()
    let file = try Studio.develop(photo, "[]", output: Self.formats[0] + #", "hdr": "pq""#)
    for sample in try Self.samples(file) { #expect(abs(sample - 0.580_689) < 0.0005) }
    let hlg = try Studio.develop(photo, "[]", output: Self.formats[0] + #", "hdr": "hlg""#)
    for sample in try Self.samples(hlg) { #expect(abs(sample - 0.75) < 0.0005) }
  }

  /// Light above white of a raw or floating-point photo is kept.
  @Test func lightOfFloatsIsKept() throws {
    let light: [Float] = [0.25, 1, 3]
    let image = try Image(
      samples: (0..<64).flatMap { _ in light }, width: 8, height: 8, bands: 3
    ).applying("copy", ["interpretation": .choice("scrgb")])
    let target = Target()
    try image.save(to: target, as: "tiffsave_target", [:])
    let file = try Studio.develop(
      target.bytes(), "[]", output: Self.formats[0] + #", "hdr": "pq", "profile": "srgb""#)
    for (sample, wanted) in zip(try Self.samples(file), light) {
      #expect(abs(Self.pqLight(sample) / Double(wanted) - 1) < 0.01)
    }
  }

  /// A photo in PQ is not compressed for HDR displays; samples stay as they are.
  @Test func samplesInPQStay() throws {
    let levels = [20_000, 38_000, 49_000]
    let file = PNGChunks.adding(
      "cICP", [9, 16, 0, 1], to: try Samples.flat(levels, 16, 16, maximum: 65_535).file())
    let (files, report) = try Studio.render(
      file, Studio.recipe("[]", output: Self.formats[0] + #", "hdr": "pq""#))
    #expect(report.warnings == [])
    let found = try Self.samples(#require(files["out"]))
    for (sample, level) in zip(found, levels) {
      #expect(abs(sample - Double(level) / 65_535) < 0.0005)
    }
  }

  /// An output for HDR displays changes no byte of the others.
  @Test func otherOutputsStay() throws {
    let photo = try Self.photo([150, 90, 60], level: 180)
    let filters = #"[{"filter": "exposure", "stops": 0.7}, {"filter": "sharpen"}]"#
    func recipe(_ outputs: String) throws -> Recipe {
      try Studio.recipe(
        text: """
          {"identifier": "org.example.test", "version": "1.0.0", "filters": \(filters),
           "outputs": [\(outputs)]}
          """)
    }
    let plain = #"{"name": "plain", "format": "jpeg"}"#
    let bright = #"{"name": "bright", "format": "avif", "hdr": "pq"}"#
    let (alone, _) = try Studio.render(photo, recipe(plain))
    let (both, report) = try Studio.render(photo, recipe("\(bright), \(plain)"))
    #expect(alone["plain"] == both["plain"] && both["bright"] != nil)
    #expect(report.renditions.map(\.output) == ["bright", "plain"])
    let plainFile = try #require(both["plain"])
    #expect(GainMap(of: .bytes(plainFile)) != nil)
  }

  @Test func theMapIsPartOfTheMemory() throws {
    let photo = PhotoFile.bytes(try Self.photo([150, 150, 150], level: 200))
    func plan(_ output: String) throws -> RenderPlan {
      try Renderer(Studio.recipe("[]", output: output)).plan(photo)
    }
    let bright = try plan(#""format": "avif", "hdr": "pq""#)
    #expect(bright.facts.contains { $0.contains("2.5 stops above white") })
    let dropped = try plan(#""format": "avif", "bitDepth": 10, "gainMap": "drop""#)
    #expect(bright.memory.usual > dropped.memory.usual)
  }

  @Test func aDamagedMapIsAnError() throws {
    let best: [String: Argument] = ["Q": .integer(90)]
    let map = try Samples.flat([200], 32, 32).file("jpegsave_target", best)
    let file = UltraHDRFile.bytes(
      base: try Samples.flat([150, 150, 150], 64, 64).file("jpegsave_target", best),
      map: Array(map.prefix(40)), .adobe)
    #expect(throws: RenderError.self) {
      try Studio.develop(file, "[]", output: #""format": "avif", "hdr": "pq""#)
    }
  }
}
