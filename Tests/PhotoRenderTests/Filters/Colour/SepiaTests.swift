import PhotoRecipes
import TestSupport
import Testing

/// The matrix of W3C's `sepia()`.
@Suite struct SepiaTests {
  @Test(arguments: PointOracle.cases(of: Sepia.self))
  func theSepiaFilterMatchesItsFormula(_ test: PointOracle.Case) throws { try test.expectFormula() }

  @Test(arguments: [1, 0.35]) func aPartialIntensityMatchesTheFormula(_ intensity: Double) throws {
    try Sepia.expect(#""intensity": \#(intensity)"#, PointFormulas.sepia(intensity))
  }

  /// Greys become the row sums of the matrix; two of the sums are above 1.
  @Test func greysBecomeBrown() throws {
    let found = try Sepia.applied(toColours: [[1, 1, 1], [0.5, 0.5, 0.5], [0, 0, 0]])
    #expect(found[0].isNear([1, 1, 0.937]) && found[1].isNear([0.6755, 0.6015, 0.4685]))
    #expect(found[2] == [0, 0, 0])
    try Sepia.expectNoChange(#""intensity": 0"#)
  }
}
