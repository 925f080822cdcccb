import PhotoRecipes
import Testing

/// A weighted sum of light.
@Suite struct BlackAndWhiteTests {
  @Test(arguments: PointOracle.cases(of: BlackAndWhite.self))
  func followsItsFormula(_ test: PointOracle.Case) throws { try test.expectFormula() }

  @Test func greysAreSumsOfLight() throws {
    try BlackAndWhite.expect("", PointFormulas.blackAndWhite(1, [0.2126, 0.7152, 0.0722]))
    try BlackAndWhite.expect(
      #""intensity": 0.6, "red": 1.5, "green": 0.2, "blue": -0.7"#,
      PointFormulas.blackAndWhite(0.6, [1.5, 0.2, -0.7]))
  }

  /// Through a red filter red is white and the others black.
  @Test func weightsAreThoseOfAFilter() throws {
    let found = try BlackAndWhite.applied(
      toColours: [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.4, 0.4, 0.4]],
      #""red": 1, "green": 0, "blue": 0"#)
    #expect(found[0] == [1, 1, 1] && found[1] == [0, 0, 0] && found[2] == [0, 0, 0])
    #expect(found[3].isNear([0.4, 0.4, 0.4]))
    try BlackAndWhite.expectNoChange(#""intensity": 0"#)
  }

  @Test func weightsOfNothingAreRefused() {
    BlackAndWhite.expectRefusal(of: #""red": -1, "green": 0.5, "blue": 0.5"#, "add up to 0")
  }
}
