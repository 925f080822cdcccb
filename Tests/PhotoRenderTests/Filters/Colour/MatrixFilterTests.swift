import PhotoRecipes
import TestSupport
import Testing

/// The filter's formula is `rows × (R, G, B) + offset`.
@Suite struct MatrixFilterTests {
  @Test(arguments: PointOracle.cases(of: MatrixFilter.self))
  func theMatrixFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  @Test func theMatrixMultipliesEncodedValuesOnRequest() throws {
    let rows = "[[0.5, 0.25, 0, 0.1], [0, 0, 1], [0.2, 0.2, 0.2]]"
    let found = try MatrixFilter.applied(
      toColours: [[0.4, 0.8, 0.6]], #""rows": \#(rows), "values": "encoded""#)
    #expect(found[0].isNear([0.5, 0.6, 0.36]), "\(found)")
  }

  @Test func byDefaultTheMatrixMultipliesLinearLight() throws {
    let found = try MatrixFilter.applied(
      toColours: [[0.4, 0.8, 0.6]], #""rows": [[0, 1, 0], [0, 0.5, 0], [1, 0, 0]]"#)
    let half = PointFormulas.display(PointFormulas.light(0.8) / 2)
    #expect(found[0].isNear([0.8, half, 0.4]), "\(found)")
    try MatrixFilter.expectNoChange(#""rows": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]"#)
  }
}
