import FileStructure
import Foundation
import PhotoMetadata
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Gain maps that are made of the edited photo with and without light above white.
@Suite struct RebuiltGainMapTests {
  private static let best: [String: Argument] = [
    "Q": .integer(98), "subsample-mode": .choice("off"),
  ]

  /// A photo whose light rises from the left to the right, up to `most` times white, as floats.
  private static func floats(most: Float) throws -> [UInt8] {
    let samples = (0..<128 * 96).flatMap { index -> [Float] in
      let light = Float(index % 128) / 127 * most
      return [light, light * 0.8, light * 0.5]
    }
    let image = try Image(samples: samples, width: 128, height: 96, bands: 3)
      .applying("copy", ["interpretation": .choice("scrgb")])
    let target = Target()
    try image.save(to: target, as: "tiffsave_target", [:])
    return target.bytes()
  }

  /// The light of a rendition's HDR picture at the centre of a pixel of its map, by ISO 21496-1.
  private static func light(_ file: [UInt8], _ x: Int, _ y: Int) throws -> [Double] {
    let map = try #require(GainMap(of: .bytes(file)))
    let (base, gains) = (try Samples(file: file), try Samples(file: map.picture))
    let bits = Double(base.maximum)
    let place = (
      (2 * x + 1) * base.width / (2 * gains.width), (2 * y + 1) * base.height / (2 * gains.height)
    )
    // The centre of a pixel of the map lies between pixels of the rendition.
    let around = [(-1, -1), (-1, 0), (0, -1), (0, 0)].map { base[place.0 + $0.0, place.1 + $0.1] }
    return (0..<3).map { band in
      let channel = map.description.channels[band]
      let mean =
        around.map { PointFormulas.light(Double($0[band]) / bits) }.reduce(0, +) / 4
      let part = pow(Double(gains[x, y][band]) / 255, 1 / channel.gamma)
      let stops = channel.minimum + (channel.maximum - channel.minimum) * part
      return (mean + channel.baseOffset) * exp2(stops) - channel.alternateOffset
    }
  }

  @Test(arguments: ["jpeg", "heic", "avif", "jxl"]) func lightAboveWhiteComesBack(
    _ format: String
  ) throws {
    let photo = try Self.floats(most: 4)
    for (filters, gain) in [("[]", 1.0), (#"[{"filter": "exposure", "stops": -0.5}]"#, exp2(-0.5))]
    {
      let output = #""format": "\#(format)", "quality": 98, "gainMap": "rebuild""#
      let (files, report) = try Studio.render(photo, Studio.recipe(filters, output: output))
      #expect(report.warnings.allSatisfy { !$0.contains("gain map") }, "\(report.warnings)")
      let file = try #require(files["out"])
      let map = try #require(GainMap(of: .bytes(file)))
      #expect(map.description.channels.count == 3)
      #expect(abs(map.description.alternateHeadroom - log2(4 * gain)) < 0.1)
      let picture = try Samples(file: map.picture)
      for x in stride(from: 2, to: picture.width - 2, by: 3) {
        let wanted = (Double(x) + 0.5) / Double(picture.width) * 4 * gain
        let found = try Self.light(file, x, picture.height / 2)
        for (band, part) in [1, 0.8, 0.5].enumerated() {
          let error = abs(found[band] - wanted * part)
          #expect(error < 0.03 + 0.03 * wanted * part, "\(format) \(filters): \(x), \(found)")
        }
      }
    }
  }

  /// The map of an Ultra HDR photo that is made anew gives the light that the photo has.
  @Test func theLightOfAMapStays() throws {
    let photo = UltraHDRFile.bytes(
      base: try Samples.flat([150, 150, 150], 128, 96).file("jpegsave_target", Self.best),
      map: try Samples.flat([200], 64, 48).file("jpegsave_target", Self.best), .adobe)
    let file = try Studio.develop(
      photo, #"[{"filter": "crop", "left": 32}]"#,
      output: #""format": "jpeg", "quality": 98, "gainMap": "rebuild""#)
    let wanted =
      (PointFormulas.light(150.0 / 255) + 1.0 / 64) * exp2(-1 + 4 * 200.0 / 255) - 1.0 / 64
    for value in try Self.light(file, 8, 8) { #expect(abs(value / wanted - 1) < 0.02) }
  }

  /// The map of a rendition in greys does not colour it.
  @Test func aGreyProfileGetsEqualGains() throws {
    let file = try Studio.develop(
      Self.floats(most: 4), "[]",
      output: #""format": "jpeg", "profile": "grey", "gainMap": "rebuild""#)
    let map = try #require(GainMap(of: .bytes(file)))
    #expect(Set(map.description.channels).count == 1)
    let picture = try Samples(file: map.picture)
    for x in 0..<picture.width {
      let pixel = picture[x, picture.height / 2]
      #expect((pixel.max() ?? 0) - (pixel.min() ?? 0) <= 2, "\(x): \(pixel)")
    }
  }

  /// Most photos of a library have neither a gain map nor light above white; only the loss of a map
  /// is a warning.
  @Test func aPhotoWithoutBrightLightGetsNone() throws {
    let plain = try Samples.flat([120, 130, 140], 64, 64).file("jpegsave_target", Self.best)
    let map = try Samples.flat([0], 32, 32).file("jpegsave_target", Self.best)
    let mapped = UltraHDRFile.bytes(base: plain, map: map, .adobe)
    for (photo, isWarned) in [(plain, false), (mapped, true)] {
      let (files, report) = try Studio.render(
        photo, Studio.recipe("[]", output: #""format": "jpeg", "gainMap": "rebuild""#))
      let file = try #require(files["out"])
      #expect(GainMap(of: .bytes(file)) == nil)
      let reason = "no light of the rendition is above white"
      #expect(report.warnings.contains { $0.contains(reason) } == isWarned)
    }
  }

  /// Light that a step pushes above white is kept by the map.
  @Test func anExposureMakesHeadroom() throws {
    let photo = try Samples.flat([200, 200, 200], 64, 64).file()
    let file = try Studio.develop(
      photo, #"[{"filter": "exposure", "stops": 2}]"#,
      output: #""format": "jpeg", "quality": 98, "gainMap": "rebuild""#)
    let wanted = PointFormulas.light(200.0 / 255) * 4
    for value in try Self.light(file, 4, 4) { #expect(abs(value / wanted - 1) < 0.02) }
  }

  /// A raw photo, whose noise is reduced at a larger size first, keeps its light above white.
  @Test(arguments: ["neutral", "linear"]) func aRawPhotoGetsAMap(_ look: String) throws {
    let photo = SyntheticDNG.greySteps(slope: 8e-4, floor: 4e-6).bytes
    var recipe = try Studio.recipe(
      #"[{"filter": "exposure", "stops": 2.5}]"#,
      output: #""format": "jpeg", "quality": 98, "gainMap": "rebuild""#)
    recipe.inputs.raw.look = try #require(RawSettings.Look(rawValue: look))
    let file = try #require(try Studio.render(photo, recipe).files["out"])
    let map = try #require(GainMap(of: .bytes(file)))
    #expect(map.description.alternateHeadroom > 0.5)
  }

  /// Vivid colours that the output cannot show, and edges that overshoot when they are reduced, are no
  /// light above white.
  @Test func vividColoursAreNoLight() throws {
    let (width, height) = (256, 192)
    let values = (0..<width * height).flatMap { index -> [Int] in
      let (column, row) = (index % width / 16, index / width / 16)
      return (column + row) % 2 == 0 ? [255, 0, 0] : [255, 255, 255]
    }
    let photo = try Samples(width: width, height: height, bands: 3, maximum: 255, values: values)
      .file(fields: ["icc-profile-data": .blob(StandardProfile.displayP3.bytes)])
    for profile in ["srgb", "display-p3"] {
      let file = try Studio.develop(
        photo, "[]",
        output: #""format": "jpeg", "profile": "\#(profile)", "gainMap": "rebuild""#)
      #expect(GainMap(of: .bytes(file)) == nil)
    }
  }

  @Test func otherFormatsRefuseIt() {
    Studio.expectRefusal(of: #""format": "png", "gainMap": "rebuild""#, "cannot store a gain map")
    Studio.expectRefusal(
      of: #""format": "avif", "hdr": "pq", "gainMap": "rebuild""#, "has no gain map")
  }
}
