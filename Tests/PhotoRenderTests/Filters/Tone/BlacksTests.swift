import PhotoRecipes
import TestSupport
import Testing

/// The filter's formula is `1 − d ÷ √(1 + amount × d² ÷ 2)` with `d = 1 − in`.
@Suite struct BlacksTests {
  @Test(arguments: PointOracle.cases(of: Blacks.self))
  func theBlacksFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  /// With amount 1, black becomes 1 − √(2 ÷ 3); with amount −1, this value becomes black.
  @Test func blackMovesAsTheFormulaStates() throws {
    let end = 0.183503
    #expect(try Blacks.applied(toGreys: [0, 1], #""amount": 1"#).isNear([end, 1]))
    #expect(try Blacks.applied(toGreys: [end, 1], #""amount": -1"#).isNear([0, 1]))
  }

  @Test func brightTonesChangeLeast() throws {
    let found = try Blacks.applied(toGreys: [0.1, 0.5, 0.9], #""amount": 0.6"#)
    let moves = zip(found, [0.1, 0.5, 0.9]).map { $0 - $1 }
    #expect(moves[0] > 3 * moves[1] && moves[1] > 30 * moves[2] && moves[2] > 0, "\(moves)")
    try Blacks.expectNoChange(#""amount": 0"#)
  }
}
