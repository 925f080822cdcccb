import PhotoRecipes
import TestSupport
import Testing

/// Lift, gamma and gain.
@Suite struct ColourBalanceTests {
  @Test(arguments: PointOracle.cases(of: ColourBalance.self))
  func theColourBalanceFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  /// The level of shadows is a lift: black becomes 0.2 × the level.
  ///
  /// The level of highlights is a gain: white becomes 1 + 0.4 × the level. The level of midtones is
  /// a gamma: tones are raised to the power 2^−level.
  @Test func eachLevelChangesItsOwnRangeOfTones() throws {
    func shown(_ settings: String) throws -> [Double] {
      try ColourBalance.applied(toGreys: [0, 0.25, 1], settings)
    }
    #expect(try shown(#""shadowsLevel": 0.5"#).isNear([0.1, 0.325, 1]))
    #expect(try shown(#""highlightsLevel": -0.5"#).isNear([0, 0.2, 0.8]))
    #expect(try shown(#""midtonesLevel": 1"#).isNear([0, 0.5, 1]))
  }

  /// The luma of pure blue is 0.0722.
  ///
  /// Red and green decrease so that the luma stays the same when blue increases.
  @Test func aBlueLiftKeepsTheLumaOfTones() throws {
    let grey = 0.5
    let found = try ColourBalance.applied(
      toColours: [[grey, grey, grey]], #""shadowsHue": 240, "shadowsStrength": 0.5"#)[0]
    let lift = [-0.0722, -0.0722, 1 - 0.0722].map { 0.1 * $0 }
    #expect(found.isNear(lift.map { $0 + (1 - $0) * grey }), "\(found)")
    #expect(abs(0.2126 * found[0] + 0.7152 * found[1] + 0.0722 * found[2] - grey) < 0.001)
    try ColourBalance.expectNoChange(
      #""shadowsStrength": 0, "midtonesHue": 90, "highlightsLevel": 0"#)
  }
}
