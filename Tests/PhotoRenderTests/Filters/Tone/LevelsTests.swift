import PhotoRecipes
import TestSupport
import Testing

/// The filter's formula is `outBlack + (outWhite − outBlack) × f(((in − black) ÷ (white −
/// black))^(1 ÷ gamma))`, where f is a curve through three intermediate tones.
@Suite struct LevelsTests {
  @Test(arguments: PointOracle.cases(of: Levels.self))
  func theLevelsFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  @Test func theLevelsCurveMatchesTheFormula() throws {
    try Levels.expect(
      #""black": 0.1, "white": 0.9, "gamma": 1.4"#, PointFormulas.levels(0.1, 0.9, 1.4))
    try Levels.expect(
      #""black": 0.3, "gamma": 4, "outBlack": 0.2, "outWhite": 0.7"#,
      PointFormulas.levels(0.3, 1, 4, 0.2, 0.7))
    try Levels.expect(
      #""black": 0.2, "gamma": 0.5, "channel": "green""#,
      PointFormulas.levels(0.2, 1, 0.5, channels: [1]))
    try Levels.expect(#""outBlack": 1, "outWhite": 0"#, PointFormulas.levels(0, 1, 1, 1, 0))
    try Levels.expect(
      #""white": 0.6, "outWhite": 0.8"#, PointFormulas.levels(0, 0.6, 1, 0, 0.8))
    try Levels.expect(
      #""white": 0.6, "outBlack": 0.1, "outWhite": 0.8, "channel": "red""#,
      PointFormulas.levels(0, 0.6, 1, 0.1, 0.8, channels: [0]))
  }

  @Test func knownTonesGetTheExpectedLevels() throws {
    let found = try Levels.applied(
      toGreys: [0.1, 0.2, 0.4, 0.8, 0.9], #""black": 0.2, "white": 0.8, "gamma": 2"#)
    #expect(found.isNear([0, 0, 0.57735, 1, 1]), "\(found)")
    // The three intermediate tones `shadow`, `middle` and `highlight` become the tones that
    // `outShadow`, `outMiddle` and `outHighlight` state.
    let bent = try Levels.applied(
      toGreys: [0.2, 0.5, 0.7],
      #""shadow": 0.2, "outShadow": 0.3, "outMiddle": 0.45, "highlight": 0.7, "outHighlight": 0.9"#)
    #expect(bent.isNear([0.3, 0.45, 0.9]), "\(bent)")
    try Levels.expectNoChange(#""black": 0, "white": 1, "gamma": 1, "channel": "red""#)
  }

  /// Printers cannot show the lightest and the darkest tones, so no tone may leave the range.
  @Test func noToneLeavesTheRangeOfTheResult() throws {
    let found = try Levels.applied(
      toGreys: [0, 0.1, 0.2, 0.5, 0.8, 0.9, 1],
      #""black": 0.2, "white": 0.8, "outBlack": 0.1, "outWhite": 0.9"#)
    #expect(found.isNear([0.1, 0.1, 0.1, 0.5, 0.9, 0.9, 0.9]), "\(found)")
  }

  @Test func tonesThatAreNotInOrderAreRefused() {
    Levels.expectRefusal(of: #""black": 0.5, "white": 0.5"#, "'black' 0.5 is not below 'white'")
    Levels.expectRefusal(of: #""shadow": 0.6"#, "'shadow' 0.6 is not below 'middle'")
  }
}
