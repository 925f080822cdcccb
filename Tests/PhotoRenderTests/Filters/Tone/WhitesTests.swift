import PhotoRecipes
import TestSupport
import Testing

/// The filter's formula is `in ÷ √(1 − amount × in² ÷ 2)`.
@Suite struct WhitesTests {
  @Test(arguments: PointOracle.cases(of: Whites.self))
  func theWhitesFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  /// With amount 1, √(2 ÷ 3) becomes white; with amount −1, white becomes √(2 ÷ 3).
  @Test func whiteMovesAsTheFormulaStates() throws {
    let end = 0.816497
    #expect(try Whites.applied(toGreys: [0, end], #""amount": 1"#).isNear([0, 1]))
    #expect(try Whites.applied(toGreys: [0, 1], #""amount": -1"#).isNear([0, end]))
  }

  @Test func darkTonesChangeLeast() throws {
    let found = try Whites.applied(toGreys: [0.1, 0.5, 0.9], #""amount": 0.6"#)
    let moves = zip(found, [0.1, 0.5, 0.9]).map { $0 - $1 }
    #expect(moves[2] > 3 * moves[1] && moves[1] > 30 * moves[0] && moves[0] > 0, "\(moves)")
    try Whites.expectNoChange(#""amount": 0"#)
  }
}
