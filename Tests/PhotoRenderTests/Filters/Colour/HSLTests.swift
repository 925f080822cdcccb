import PhotoRecipes
import TestSupport
import Testing

/// Separate settings for eight colours.
@Suite struct HSLTests {
  @Test(arguments: PointOracle.cases(of: HSL.self))
  func theHSLFilterMatchesItsFormula(_ test: PointOracle.Case) throws { try test.expectFormula() }

  private static let colours = [[0.7, 0.3, 0.25], [0.3, 0.35, 0.7], [0.5, 0.5, 0.5]]

  /// If the saturation of blue is removed, a blue colour becomes nearly grey, and a red colour
  /// stays unchanged.
  @Test func otherColoursAndGreysStayUnchanged() throws {
    let found = try HSL.applied(toColours: Self.colours, #""blueSaturation": -1"#)
    #expect(found[0].isNear(Self.colours[0], within: 0.0005), "\(found[0])")
    #expect(found[2].isNear(Self.colours[2], within: 0.0005), "\(found[2])")
    #expect((found[1].max() ?? 1) - (found[1].min() ?? 0) < 0.08, "\(found[1])")
  }

  @Test func luminanceBrightensTheChosenColour() throws {
    let found = try HSL.applied(toColours: Self.colours, #""redLuminance": 0.6"#)
    let (before, after) = (
      PointFormulas.oklab(Self.colours[0])[0], PointFormulas.oklab(found[0])[0]
    )
    #expect(after > before + 0.03 && found[2].isNear(Self.colours[2], within: 0.0005))
    try HSL.expectNoChange(#""redHue": 0, "greenSaturation": 0, "blueLuminance": 0"#)
  }
}
