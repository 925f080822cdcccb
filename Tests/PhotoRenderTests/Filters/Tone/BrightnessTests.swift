import PhotoRecipes
import TestSupport
import Testing

/// The filter's formula is `in + amount`.
@Suite struct BrightnessTests {
  @Test(arguments: PointOracle.cases(of: Brightness.self))
  func theBrightnessFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  @Test(arguments: [0.2, -0.7]) func aValueIsAddedToEachChannel(_ amount: Double) throws {
    try Brightness.expect(#""amount": \#(amount)"#, PointFormulas.brightness(amount))
  }

  @Test func theLargestAmountsGiveAWhiteOrBlackPhoto() throws {
    #expect(try Brightness.applied(toGreys: [0, 0.5, 1], #""amount": 1"#) == [1, 1, 1])
    #expect(try Brightness.applied(toGreys: [0, 0.5, 1], #""amount": -1"#) == [0, 0, 0])
    try Brightness.expectNoChange(#""amount": 0"#)
  }
}
