import PhotoRecipes
import Testing

/// The gain in linear light is `target ÷ exp(mean(ln(0.0001 + Y)))`, within a limit.
@Suite struct AutoExposureTests {
  /// Two tones with the linear light 0.04 and 0.16.
  ///
  /// Their geometric mean is 0.08.
  private static let tones = [0.04, 0.16].map(PointFormulas.display)

  private static func light(_ settings: String) throws -> [Double] {
    try AutoExposure.applied(toGreys: tones, settings).map(PointFormulas.light)
  }

  @Test func theAverageOfLogarithmsBecomesTheTarget() throws {
    #expect(try Self.light("").isNear([0.09, 0.36], within: 0.001))
    #expect(try Self.light(#""target": 0.04"#).isNear([0.02, 0.08], within: 0.001))
  }

  @Test func theLimitIsInStops() throws {
    #expect(try Self.light(#""limit": 0.5"#).isNear([0.0566, 0.2263], within: 0.001))
    #expect(
      try Self.light(#""target": 0.02, "limit": 1"#).isNear([0.02, 0.08], within: 0.001))
  }

  /// Half of the gain in stops is the square root of the gain.
  @Test func strengthIsAPartOfTheStops() throws {
    #expect(try Self.light(#""strength": 0.5"#).isNear([0.06, 0.24], within: 0.001))
    try AutoExposure.expectNoChange(#""strength": 0"#)
  }
}
