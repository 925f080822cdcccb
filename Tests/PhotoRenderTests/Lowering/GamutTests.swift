import Foundation
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Colours outside an output's space: clipped, or moved into it at constant lightness and hue.
@Suite struct GamutTests {
  private static let perceptual = #""format": "png", "gamut": "perceptual""#

  /// A Display P3 photo of these colours, in 16 bits.
  private static func photo(_ colours: [[Int]]) throws -> [UInt8] {
    try photo(colours.flatMap { $0.map { $0 * 257 } }, width: colours.count, .displayP3)
  }

  private static func photo(
    _ values: [Int], width: Int, _ profile: StandardProfile
  ) throws -> [UInt8] {
    let samples = Samples(
      width: width, height: values.count / width / 3, bands: 3, maximum: 65_535, values: values)
    let image = try samples.image().setting(["icc-profile-data": .blob(profile.bytes)])
    return try SyntheticPhoto.bytes(image, "pngsave_target")
  }

  private static let colours = [
    [0, 255, 0], [255, 0, 0], [255, 80, 20], [20, 240, 120], [250, 240, 0], [0, 200, 210],
    [255, 0, 180], [120, 130, 140], [0, 0, 0], [255, 255, 255],
  ]

  /// Lightness and hue of a linear Display P3 or sRGB colour in OKLab; chroma last.
  private static func lab(_ colour: [Int], p3: Bool) -> (Double, Double, Double) {
    let light = colour.map { PointFormulas.light(Double($0) / 65_535) }
    var (r, g, b) = (light[0], light[1], light[2])
    if p3 {
      // Source: the primaries of SMPTE EG 432-1 and of IEC 61966-2-1.
      (r, g, b) = (
        1.2249401763 * r - 0.2249401763 * g, -0.0420569547 * r + 1.0420569547 * g,
        -0.0196375546 * r - 0.0786360456 * g + 1.0982736002 * b
      )
    }
    let l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    let m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    let s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    let first = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
    let second = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
    return (
      0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
      atan2(second, first) * 180 / .pi, hypot(first, second)
    )
  }

  @Test func coloursMovedIntoTheGamutKeepLightnessAndHue() throws {
    let file = try Studio.develop(Self.photo(Self.colours), "[]", output: Self.perceptual)
    let found = try Samples(file: file)
    for (x, colour) in Self.colours.enumerated() {
      let before = Self.lab(colour.map { $0 * 257 }, p3: true)
      let after = Self.lab(found[x, 0], p3: false)
      #expect(abs(after.0 - before.0) < 0.002, "\(colour): lightness \(before.0) to \(after.0)")
      if before.2 < 0.01 { continue }
      #expect(abs(remainder(after.1 - before.1, 360)) < 0.5, "\(colour): hue")
      // The chroma stays the same, or is reduced to the edge of sRGB.
      let isAtEdge = found[x, 0].min()! <= 12 || found[x, 0].max()! >= 65_523
      #expect(abs(after.2 - before.2) < 0.001 || (isAtEdge && after.2 < before.2), "\(colour)")
    }
  }

  /// Even steps along the twelve edges of the cube of a wide space stay steps of similar sizes: no
  /// step is more than three times as large as the median of its neighbours.
  @Test(arguments: [StandardProfile.displayP3, .rec2020])
  func gradientsStayContinuous(_ profile: StandardProfile) throws {
    let count = 1024
    var values: [Int] = []
    for channel in 0..<3 {
      for corner in 0..<4 {
        for step in 0..<count {
          var colour = [corner % 2 * 65_535, corner / 2 * 65_535]
          colour.insert(step * 65_535 / (count - 1), at: channel)
          values += colour
        }
      }
    }
    let file = try Studio.develop(
      Self.photo(values, width: count, profile), "[]", output: Self.perceptual)
    let found = try Samples(file: file)
    for row in 0..<12 {
      let colours = (0..<count).map { x in
        PointFormulas.oklab(found[x, row].map { Double($0) / 65_535 })
      }
      let steps = zip(colours, colours.dropFirst()).map { a, b in
        zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
      }
      // The first steps from black are large and unequal in OKLab.
      for x in 16..<steps.count {
        let near = steps[max(0, x - 8)..<min(steps.count, x + 9)].sorted()
        let median = max(near[near.count / 2], 2e-4)
        #expect(steps[x] <= 3 * median, "edge \(row), step \(x): \(steps[x]), not \(median)")
      }
    }
  }

  /// The hues of blues turn by at most 1.7°, and those of light blues, as in skies, by 0.5°.
  @Test func bluesKeepTheirHue() throws {
    let steps = stride(from: 0, through: 255, by: 17)
    let colours = steps.flatMap { red in
      steps.flatMap { green in [150, 200, 255].map { [red * $0 / 255, green * $0 / 255, $0] } }
    }
    let file = try Studio.develop(Self.photo(colours), "[]", output: Self.perceptual)
    let found = try Samples(file: file)
    for (x, colour) in colours.enumerated() {
      let before = Self.lab(colour.map { $0 * 257 }, p3: true)
      let after = Self.lab(found[x, 0], p3: false)
      if after.2 < 0.03 { continue }
      let turn = abs(remainder(after.1 - before.1, 360))
      #expect(turn < (before.0 > 0.8 ? 0.5 : 1.7), "\(colour): \(turn)")
    }
  }

  /// Blues of Display P3 within sRGB stay, and darker or brighter ones next to them do not jump.
  @Test func bluesInsideTheGamutStayExact() throws {
    let colours = [[0, 0, 230], [1, 1, 230], [0, 0, 120], [0, 0, 60], [20, 20, 240]]
    let clipped = try Samples(
      file: Studio.develop(Self.photo(colours), "[]", output: #""format": "png""#))
    let found = try Samples(
      file: Studio.develop(Self.photo(colours), "[]", output: Self.perceptual))
    #expect(zip(found.values, clipped.values).allSatisfy { abs($0 - $1) <= 257 })
  }

  @Test func coloursInsideTheGamutStayUnchanged() throws {
    let photo = try Samples.noise(60, 40).file()
    let filters = #"[{"filter": "exposure", "stops": -0.5}]"#
    let clipped = try Samples(file: Studio.develop(photo, filters))
    let found = try Samples(file: Studio.develop(photo, filters, output: Self.perceptual))
    #expect(zip(found.values, clipped.values).allSatisfy { abs($0 - $1) <= 1 })
  }

  /// In the photo's own colour space no colour is outside the gamut, so nothing changes.
  @Test(arguments: ["display-p3", "preserve"]) func colourSpacesThatContainAllColoursNeedNoChange(
    _ profile: String
  ) throws {
    let photo = try Self.photo(Self.colours)
    let own = #", "profile": "\#(profile)""#
    let clipped = try Samples(file: Studio.develop(photo, "[]", output: #""format": "png""# + own))
    let found = try Samples(file: Studio.develop(photo, "[]", output: Self.perceptual + own))
    #expect(zip(found.values, clipped.values).allSatisfy { abs($0 - $1) <= 16 })
  }

  @Test(arguments: ["grey", "srgb"]) func greysStayGreyInTheGamutMapping(_ profile: String) throws {
    let grey = try Samples(32, 4) { x, _ in [x * 8, x * 8, x * 8] }.file()
    let own = #", "profile": "\#(profile)""#
    let clipped = try Samples(file: Studio.develop(grey, "[]", output: #""format": "png""# + own))
    #expect(
      try Samples(file: Studio.develop(grey, "[]", output: Self.perceptual + own)) == clipped)
  }

  @Test func invalidGamutSettingsAreRefused() {
    Studio.expectRefusal(of: #""format": "png", "gamut": "wide""#, "wide")
  }
}
