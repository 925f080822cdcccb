import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// The gain in linear light that is wanted is `target ÷ exp(mean(ln(0.0001 + Y)))` of the luminance
/// Y; the photo's highlights raise or reduce this gain, and a limit in stops reduces it.
@Suite struct AutoExposureTests {
  /// Two tones with the linear light 0.04 and 0.16.
  ///
  /// Their geometric mean is 0.08.
  private static let tones = [0.04, 0.16].map(PointFormulas.display)

  private static func light(_ settings: String) throws -> [Double] {
    try AutoExposure.applied(toGreys: tones, settings).map(PointFormulas.light)
  }

  /// The highlights would be white after exactly the wanted change: 0.2 · 5 = 1.
  @Test func theGeometricMeanOfTheLightBecomesTheTarget() throws {
    let tones = [0.02, 0.0648, 0.2].map(PointFormulas.display)
    let found = try AutoExposure.applied(toGreys: tones, #""target": 0.3189, "limit": 3"#)
    let light = found.map(PointFormulas.light)
    #expect(light.isNear([0.1, 0.324, 1], within: 0.002), "\(light)")
  }

  /// Without highlights, the change is the mean of the wanted change and of the one that makes the
  /// brightest tone white: here (log2(0.18 ÷ 0.0801) + log2(1 ÷ 0.16)) ÷ 2 stops.
  @Test func aPhotoWithoutHighlightsBecomesBrighter() throws {
    let found = try Self.light("")
    #expect(found.isNear([0.15, 0.6], within: 0.002), "\(found)")
  }

  @Test func theLimitOfTheGainIsInStops() throws {
    #expect(try Self.light(#""limit": 0.5"#).isNear([0.0566, 0.2263], within: 0.001))
    #expect(try Self.light(#""target": 0.7, "limit": 1"#).isNear([0.08, 0.32], within: 0.001))
  }

  /// `strength` is a fraction of the gain in stops; half of the stops is the square root of the
  /// gain.
  @Test func strengthAppliesAFractionOfTheStops() throws {
    #expect(try Self.light(#""strength": 0.5"#).isNear([0.0774, 0.3097], within: 0.001))
    try AutoExposure.expectNoChange(#""strength": 0"#)
  }

  /// A bright scene is darkened by at most a fifth of its light, and white stays white.
  @Test func aBrightSceneIsDarkenedOnlyALittle() throws {
    let snow = [0.55, 0.7, 0.7, 0.75].map(PointFormulas.display)
    #expect(try AutoExposure.applied(toGreys: snow).isNear(snow, within: 0.002))
    let bright = [0.8, 0.9, 1, 1].map(PointFormulas.display)
    let found = try AutoExposure.applied(toGreys: bright).map(PointFormulas.light)
    #expect(found.isNear([0.762, 0.878, 1, 1], within: 0.005), "\(found)")
  }

  /// A dark scene with lights is brightened by only a quarter of the two stops that it would need.
  ///
  /// The lights keep their differences.
  @Test func aNightSceneIsBrightenedOnlyALittle() throws {
    let night = (Array(repeating: 0.002, count: 60) + [0.3, 0.9, 1, 1]).map(PointFormulas.display)
    let found = try AutoExposure.applied(toGreys: night).map(PointFormulas.light)
    #expect(abs(found[0] - 0.002 * exp2(0.5)) < 0.0005, "\(found[0])")
    #expect(found[61] < 0.97 && found[60] < found[61] && found[61] < found[62])
    #expect(found[62] > 0.995)
  }

  /// A scene in the blue light of twilight is brightened by a quarter of what a scene in grey light
  /// is.
  @Test func twilightIsBrightenedOnlyALittle() throws {
    func gain(_ colour: [Int]) throws -> Double {
      let scene = Samples(32, 32) { x, y in colour.map { (x / 4 + y / 4) % 2 == 0 ? $0 : $0 / 2 } }
      let found = try AutoExposure.applied(to: scene)
      func light(_ photo: Samples) -> Double {
        PointFormulas.light(Double(photo[1, 1, 1]) / Double(photo.maximum))
      }
      return log2(light(found) / light(scene))
    }
    let (plain, dusk) = try (gain([76, 76, 76]), gain([40, 76, 128]))
    #expect(plain > 1 && dusk > 0 && dusk < 0.4 * plain, "\(plain), \(dusk)")
  }

  /// Highlights in only one channel limit the gain too, and keep their colour.
  @Test func highlightsInOneChannelAreNotClipped() throws {
    let scene =
      Array(repeating: [0.1, 0.1, 0.1], count: 30) + [[0.2, 0.5, 0.98], [0.2, 0.5, 0.98]]
    let found = try AutoExposure.applied(toColours: scene)[30]
    #expect(found[0] < found[1] && found[1] < found[2] && found[2] <= 1, "\(found)")
    #expect(found[1] < 0.6)
  }
}
