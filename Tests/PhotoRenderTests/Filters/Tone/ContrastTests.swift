import PhotoRecipes
import TestSupport
import Testing

/// A logistic S curve; for a negative amount, its inverse.
@Suite struct ContrastTests {
  @Test(arguments: PointOracle.cases(of: Contrast.self))
  func theContrastFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  @Test(arguments: [0.5, 1, -0.6]) func theContrastCurveMatchesTheFormula(_ amount: Double) throws {
    try Contrast.expect(#""amount": \#(amount)"#, PointFormulas.contrast(amount))
  }

  /// The slopes at middle grey are 2 ÷ tanh 2 and tanh 1.25 ÷ 1.25.
  @Test(arguments: [(1, 2.0746), (-1, 0.6786)])
  func theSlopeAtMiddleGreyMatchesTheFormula(_ amount: Int, _ slope: Double) throws {
    let found = try Contrast.applied(
      toGreys: [0, 0.495, 0.5, 0.505, 1], #""amount": \#(amount)"#)
    #expect([found[0], found[2], found[4]].isNear([0, 0.5, 1]), "\(found)")
    #expect(abs((found[3] - found[1]) / 0.01 - slope) < 0.01, "\(found)")
    try Contrast.expectNoChange(#""amount": 0"#)
  }

  @Test func theCurveIsSymmetricAboutMiddleGrey() throws {
    let found = try Contrast.applied(toGreys: [0.1, 0.3, 0.7, 0.9], #""amount": 0.7"#)
    #expect([found[0] + found[3], found[1] + found[2]].isNear([1, 1]))
  }
}
