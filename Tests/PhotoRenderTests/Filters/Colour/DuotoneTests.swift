import PhotoRecipes
import TestSupport
import Testing

/// A ramp between two colours.
@Suite struct DuotoneTests {
  @Test(arguments: PointOracle.cases(of: Duotone.self))
  func theDuotoneFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  @Test func blackAndWhiteBecomeTheTwoColoursOfTheDuotone() throws {
    let found = try Duotone.applied(
      toColours: [[0, 0, 0], [1, 1, 1]], ##""shadows": "#001040", "highlights": "#ffd000""##)
    #expect(found[0].isNear([0, 16.0 / 255, 64.0 / 255], within: 0.0005), "\(found)")
    #expect(found[1].isNear([1, 208.0 / 255, 0], within: 0.0005), "\(found)")
  }

  /// For a duotone from black to white, the OKLab lightness of the result equals the photo's luma.
  @Test func aDuotoneFromBlackToWhiteTurnsLumaIntoLightness() throws {
    let found = try Duotone.applied(
      toColours: [[0.5, 0.5, 0.5]], ##""shadows": "#000000", "highlights": "#ffffff""##)[0]
    #expect(found.isNear(Array(repeating: PointFormulas.display(0.125), count: 3), within: 0.0005))
  }
}
