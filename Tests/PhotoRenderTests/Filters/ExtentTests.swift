import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// Radii and sizes that a recipe gives as parts of the frame.
@Suite struct ExtentTests {
  private static func photo(_ width: Int) throws -> [UInt8] {
    try Samples.noise(width, width / 2).file()
  }

  /// A radius stated as a part of the frame equals that part of the longer edge in pixels, at every
  /// size of the frame.
  @Test(arguments: [
    (#""filter": "blur", "radius": "#, "1%", 0.01),
    (#""filter": "soften", "amount": 0.7, "radius": "#, "1.5%", 0.015),
    (#""filter": "bloom", "amount": 1, "radius": "#, "0.75%", 0.0075),
    (#""filter": "tiltShift", "radius": "#, "2%", 0.02),
    (#""filter": "sharpen", "amount": 1, "halo": 0.5, "radius": "#, "0.75%", 0.0075),
  ])
  func aRadiusAsAPartOfTheFrameEqualsThatManyPixels(
    _ step: String, _ part: String, _ factor: Double
  ) throws {
    for width in [400, 800] {
      let photo = try Self.photo(width)
      let expected = try Studio.develop(photo, "[{\(step)\(factor * Double(width))}]")
      #expect(try Studio.develop(photo, #"[{\#(step)"\#(part)"}]"#) == expected, "\(width)")
      #expect(expected != photo)
    }
  }

  @Test func aPercentageWithTooManyDecimalsIsRefusedWithTheReason() {
    Sharpen.expectRefusal(of: #""radius": "0.12345%""#, "at most four decimals")
  }

  /// An unsharp mask with a very small radius r is `in − amount × r² ÷ 2 × second difference`, here of
  /// a curved ramp, which has the second difference in one direction only.
  @Test(arguments: [0.02, 0.05, 0.075, 0.1]) func aRadiusBelowAPixelFadesByItsSquare(
    _ percent: Double
  ) throws {
    let levels = (0..<400).map { 20_000 + $0 * $0 / 8 + ($0 % 3 == 0 ? 900 : 0) }
    let photo = Samples(400, 20, maximum: 65_535) { x, _ in [levels[x], levels[x], levels[x]] }
    let radius = percent / 100 * 400
    let found = try Sharpen.applied(to: photo, #""amount": 2, "halo": 0, "radius": "\#(percent)%""#)
    for x in 20..<380 {
      let second = Double(levels[x - 1] - 2 * levels[x] + levels[x + 1])
      let expected = Double(levels[x]) - 2 * radius * radius / 2 * second
      #expect(abs(Double(found[x, 10, 1]) - expected) <= 2, "\(x)")
    }
  }

  /// Shapes with sharp edges, texture and noise, and the same photo reduced to a quarter.
  private static let sizes: (large: [UInt8], small: [UInt8])? = {
    let noise = Samples.noise(1600, 1200)
    let large = Samples(1600, 1200, maximum: 65_535) { x, y in
      let (u, v) = (Double(x), Double(y))
      var level = 90 + 40 * (u / 300).rounded(.down).truncatingRemainder(dividingBy: 2)
      if hypot(u - 800, v - 600) < 320 { level += 50 }
      if abs(u + v - 1300) < 9 { level -= 60 }
      level += 14 * sin(u / 9) * sin(v / 11) * (y > 700 ? 1 : 0)
      level += Double(noise[x, y, 0] - 128) / 128 * 3
      let value = Int(257 * level)
      return [value, value, value]
    }
    guard let file = try? large.file(), let small = try? large.reduced(by: 4).file() else {
      return nil
    }
    return (file, small)
  }()

  /// The mean difference, in levels of 255, between the small photo with the filter, and the large
  /// photo with the filter that is then reduced.
  private static func difference(_ step: String) throws -> Double {
    func developed(_ photo: [UInt8]) throws -> Samples {
      try Samples(
        file: Studio.develop(
          photo, "[\(step)]", output: #""format": "png", "bitDepth": 16, "compression": 1"#))
    }
    let sizes = try #require(sizes)
    let (small, large) = (try developed(sizes.small), try developed(sizes.large).reduced(by: 4))
    try #require(small.values.count == large.values.count && small.maximum == 65_535)
    return small.meanDifference(from: large) / 257
  }

  /// A recipe with a radius as a part of the frame looks the same on a photo and on a reduced copy.
  @Test(arguments: [
    #""radius": "0.75%", "halo": 0"#, #""radius": "0.75%""#, #""radius": "0.75%", "halo": 1"#,
    #""radius": "0.4%", "halo": 1"#, #""radius": "0.2%""#, #""radius": "0.1%""#,
    #""radius": "0.06%", "amount": 2"#,
  ])
  func sharpeningLooksTheSameOnAReducedPhoto(_ settings: String) throws {
    let amount = settings.contains("amount") ? "" : #", "amount": 1"#
    let step = #"{"filter": "sharpen", \#(settings)\#(amount)}"#
    let difference = try Self.difference(step)
    #expect(difference <= 0.4, "\(difference)")
  }

  /// If a radius in pixels is too small to have an effect, the same radius as a part of the frame
  /// has no effect either.
  @Test(arguments: [
    #""filter": "blur", "radius": "0%""#, #""filter": "blur", "radius": "0.05%""#,
    #""filter": "blur", "kind": "motion", "radius": "0.05%""#,
    #""filter": "blur", "kind": "zoom", "radius": "0.0001%""#,
    #""filter": "tiltShift", "radius": "0.2%""#,
  ])
  func aVerySmallPartOfTheFrameHasNoEffect(_ step: String) throws {
    let photo = try Self.photo(400)
    #expect(try Studio.develop(photo, "[{\(step)}]") == Studio.develop(photo, "[]"))
  }
}
