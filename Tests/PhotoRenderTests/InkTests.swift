import PhotoRecipes
import PhotoRender
import TestSupport
import Testing
import Vips

/// Photos of inks, whose colours only tables of a profile know.
@Suite struct InkTests {
  private static let inks = [
    [0, 0, 0, 255], [255, 0, 0, 0], [40, 200, 10, 90], [255, 255, 0, 0],
  ]

  /// Patches of 16 pixels, one below the other, with libvips's own profile of a press.
  private static func photo(_ saver: String = "tiffsave_target") throws -> (Image, [UInt8]) {
    let pixels = inks.flatMap { ink in (0..<256).flatMap { _ in ink.map { UInt8($0) } } }
    let press = try Samples.flat([0, 0, 0], 1, 1).image().applying(
      "icc_transform", ["output-profile": .text("cmyk"), "input-profile": .text("srgb")])
    let image = try Image(
      pixels: pixels, width: 16, height: 16 * inks.count, bands: 4, format: .uchar
    ).applying("copy", ["interpretation": .choice("cmyk")])
      .setting(["icc-profile-data": press.field("icc-profile-data")])
    return (image, try SyntheticPhoto.bytes(image, saver))
  }

  @Test func inksThatAreLeftAloneStay() throws {
    let (image, photo) = try Self.photo()
    let preserve = #""format": "tiff", "profile": "preserve""#
    #expect(try Samples(file: Studio.develop(photo, "[]", output: preserve)) == Samples(image))
    // Where something is done to the colours, they are separated anew.
    let brighter = try Studio.develop(
      photo, #"[{"filter": "exposure", "stops": 0.2}]"#, output: preserve)
    #expect(try Samples(file: brighter) != Samples(image))
  }

  /// Little CMS itself goes to each space at once.
  @Test(arguments: ["srgb", "adobe-rgb", "prophoto"])
  func inksKeepTheirColours(_ name: String) throws {
    let (image, photo) = try Self.photo()
    let profile = try #require(Profiles.named.first { $0.name == name }).profile
    let found = try Samples(
      file: Studio.develop(photo, "[]", output: #""format": "png", "profile": "\#(name)""#))
    let file = try MemoryFile(profile.bytes)
    let wanted = try withExtendedLifetime(file) {
      try Samples(
        image.applying(
          "icc_transform",
          [
            "embedded": .flag(true), "output-profile": .text(file.path),
            "intent": .choice("relative"), "black-point-compensation": .flag(true),
          ]))
    }
    for (number, ink) in Self.inks.enumerated() {
      let (one, other) = (found[8, 16 * number + 8], wanted[8, 16 * number + 8])
      #expect(zip(one, other).allSatisfy { abs($0 - $1) <= 2 }, "\(ink): \(one), not \(other)")
    }
  }
}
