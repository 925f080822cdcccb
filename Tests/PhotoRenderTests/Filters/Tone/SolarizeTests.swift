import PhotoRecipes
import TestSupport
import Testing

/// The filter's formula is `min(in ÷ threshold, (1 − in) ÷ (1 − threshold))`.
@Suite struct SolarizeTests {
  @Test(arguments: PointOracle.cases(of: Solarize.self))
  func theSolarizeFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  @Test func tonesRiseUpToTheThresholdAndThenFall() throws {
    let half = try Solarize.applied(toGreys: [0, 0.25, 0.5, 0.75, 1])
    #expect(half.isNear([0, 0.5, 1, 0.5, 0]), "\(half)")
    let late = try Solarize.applied(toGreys: [0.4, 0.8, 0.9], #""threshold": 0.8"#)
    #expect(late.isNear([0.5, 1, 0.5]), "\(late)")
  }

  @Test func aThresholdOfWhiteDoesNotChangeThePhoto() throws {
    try Solarize.expectNoChange(#""threshold": 1"#)
  }
}
