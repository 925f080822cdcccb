import PhotoRecipes
import TestSupport
import Testing

/// Pixels with at least a given luma become white, the others black.
@Suite struct ThresholdTests {
  @Test(arguments: PointOracle.cases(of: Threshold.self))
  func theThresholdFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  /// The luma of green is 0.7152, that of red 0.2126.
  @Test func lumaDecidesBetweenBlackAndWhite() throws {
    let colours = [[0, 1, 0], [1, 0, 0], [0, 0, 1], [0.51, 0.51, 0.51], [0.49, 0.49, 0.49]]
    let found = try Threshold.applied(toColours: colours)
    #expect(found == [[1, 1, 1], [0, 0, 0], [0, 0, 0], [1, 1, 1], [0, 0, 0]])
    let low = try Threshold.applied(toColours: colours, #""level": 0.2"#)
    #expect(low.map { $0[0] } == [1, 1, 0, 1, 1])
  }

  @Test func aThresholdOfZeroMakesAllPixelsWhite() throws {
    #expect(try Threshold.applied(toGreys: [0, 0.5, 1], #""level": 0"#) == [1, 1, 1])
  }
}
