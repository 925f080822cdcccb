import PhotoRecipes
import TestSupport
import Testing

/// The filter's formula is `in^(1 ÷ gamma)`.
@Suite struct GammaTests {
  @Test(arguments: PointOracle.cases(of: Gamma.self))
  func theGammaFilterMatchesItsFormula(_ test: PointOracle.Case) throws { try test.expectFormula() }

  @Test(arguments: [2.2, 0.4, 10]) func theGammaCurveMatchesTheFormula(_ gamma: Double) throws {
    try Gamma.expect(#""gamma": \#(gamma)"#, PointFormulas.gamma(gamma))
  }

  @Test func gamma2IsTheSquareRootAndGammaOneHalfTheSquare() throws {
    #expect(
      try Gamma.applied(toGreys: [0, 0.25, 0.49, 1], #""gamma": 2"#).isNear([0, 0.5, 0.7, 1]))
    #expect(
      try Gamma.applied(toGreys: [0, 0.5, 0.7, 1], #""gamma": 0.5"#).isNear([0, 0.25, 0.49, 1]))
    try Gamma.expectNoChange(#""gamma": 1"#)
  }
}
