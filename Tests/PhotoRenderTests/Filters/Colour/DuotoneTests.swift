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

  @Test func aDuotoneFromBlackToWhiteIsThePhotoInGrey() throws {
    let greys = [0, 1.0 / 255, 0.02, 0.125, 0.25, 0.5, 0.75, 1]
    let settings = ##""shadows": "#000000", "highlights": "#ffffff""##
    #expect(try Duotone.applied(toGreys: greys, settings).isNear(greys))
    let back = ##""shadows": "#ffffff", "highlights": "#000000""##
    #expect(try Duotone.applied(toGreys: greys, back).isNear(greys.map { 1 - $0 }))
  }

  @Test func aDuotoneOfOneColourPaintsThePhoto() throws {
    let found = try Duotone.applied(
      toColours: [[0, 0, 0], [0.2, 0.9, 0.4], [1, 1, 1]],
      ##""shadows": "#ff2020", "highlights": "#ff2020""##)
    let red = [1, 32.0 / 255, 32.0 / 255]
    #expect(found.allSatisfy { $0.isNear(red) }, "\(found)")
  }

  /// Next to a colour that is brighter than black, the darkest tones are no further apart than in
  /// the photo.
  @Test func theDarkestTonesOfADuotoneStayClose() throws {
    let found = try Duotone.applied(toGreys: (0...8).map { Double($0) / 255 })
    for (tone, next) in zip(found, found.dropFirst()) {
      #expect((0...1.1 / 255).contains(next - tone), "\(found)")
    }
  }
}
