import PhotoRecipes
import TestSupport
import Testing

/// Luma mapped to five colours.
@Suite struct FalseColourTests {
  @Test(arguments: PointOracle.cases(of: FalseColour.self))
  func theFalseColourFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  /// The third colour of `dusk` is in the middle of the range.
  @Test func theFiveColoursAreAtQuartersOfTheLuma() throws {
    let found = try FalseColour.applied(
      toColours: [[0, 0, 0], [0.25, 0.25, 0.25], [0.5, 0.5, 0.5], [1, 1, 1]])
    let wanted = [
      [0x12, 0x0A, 0x3A], [0x5B, 0x2A, 0x8C], [0xB8, 0x46, 0x7F], [0xFB, 0xE9, 0xB0],
    ]
    for (found, wanted) in zip(found, wanted) {
      #expect(found.isNear(wanted.map { Double($0) / 255 }, within: 0.002), "\(found)")
    }
  }

  /// Pure green and the grey 0.7152 have the same luma.
  @Test func coloursOfTheSameLumaGetTheSameFalseColour() throws {
    let grey = [0.7152, 0.7152, 0.7152]
    let found = try FalseColour.applied(toColours: [[0, 1, 0], grey], #""palette": "spectrum""#)
    #expect(found[0].isNear(found[1], within: 0.0005), "\(found)")
  }
}
