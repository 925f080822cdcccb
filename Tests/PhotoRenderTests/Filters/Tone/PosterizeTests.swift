import PhotoRecipes
import TestSupport
import Testing

/// The filter's formula is `min(⌊n × in⌋, n − 1) ÷ (n − 1)`.
@Suite struct PosterizeTests {
  @Test(arguments: PointOracle.cases(of: Posterize.self))
  func thePosterizeFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  @Test func fourLevelsAreAtThirdsOfTheRange() throws {
    let found = try Posterize.applied(toGreys: [0, 0.24, 0.26, 0.51, 0.76, 1])
    #expect(found.isNear([0, 0, 1.0 / 3, 2.0 / 3, 1, 1]), "\(found)")
  }

  @Test(arguments: [2, 5, 64]) func theResultHasTheRequestedNumberOfLevels(_ levels: Int) throws {
    let ramp = Samples(256, 2) { x, _ in [x, 255 - x, x] }
    let found = try Posterize.applied(to: ramp, #""levels": \#(levels)"#)
    #expect(Set(found.values).count == levels)
  }
}
