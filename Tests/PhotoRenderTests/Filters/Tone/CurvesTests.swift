import PhotoRecipes
import Testing

/// Monotone cubics through points.
@Suite struct CurvesTests {
  @Test(arguments: PointOracle.cases(of: Curves.self))
  func followsItsFormula(_ test: PointOracle.Case) throws { try test.expectFormula() }

  @Test func curvesRunThroughTheirPoints() throws {
    let points = #"[[0, 0.1], [0.3, 0.5], [0.6, 0.45], [1, 0.9]]"#
    let found = try Curves.applied(toGreys: [0, 0.3, 0.6, 1], #""rgb": \#(points)"#)
    #expect(found.isNear([0.1, 0.5, 0.45, 0.9]), "\(found)")
  }

  /// The curve of all comes first: 0.5 becomes 0.8, and that 0.4.
  @Test func aChannelsCurveIsItsOwn() throws {
    let settings = #""rgb": [[0, 0], [0.5, 0.8], [1, 1]], "red": [[0, 0], [0.8, 0.4], [1, 1]]"#
    let found = try Curves.applied(toColours: [[0.5, 0.5, 0.5]], settings)[0]
    #expect(found.isNear([0.4, 0.8, 0.8]), "\(found)")
  }

  @Test func lightnessKeepsHueAndSaturation() throws {
    let colour = [0.5, 0.3, 0.25]
    let settings = #""lightness": [[0, 0], [0.5, 0.6], [1, 1]]"#
    let found = try Curves.applied(toColours: [colour], settings)[0]
    let (a, b) = (PointFormulas.oklab(colour), PointFormulas.oklab(found))
    #expect(b[0] > a[0] + 0.05)
    #expect([b[1] / b[0], b[2] / b[0]].isNear([a[1] / a[0], a[2] / a[0]], within: 0.001))
    try Curves.expectNoChange(#""lightness": [[0, 0], [1, 1]], "blue": [[0, 0], [1, 1]]"#)
  }
}
