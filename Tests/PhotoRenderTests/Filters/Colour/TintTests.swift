import PhotoRecipes
import TestSupport
import Testing

/// The hue and chroma of one colour for all pixels.
@Suite struct TintTests {
  @Test(arguments: PointOracle.cases(of: Tint.self))
  func theTintFilterMatchesItsFormula(_ test: PointOracle.Case) throws { try test.expectFormula() }

  /// Each colour gets the (a, b) of the tint × (1 − (2L − 1)⁴), independent of its own hue.
  @Test func everyColourGetsTheHueOfTheTint() throws {
    let tone = PointFormulas.oklab([176.0 / 255, 144.0 / 255, 128.0 / 255])
    let colours = [[0.2, 0.3, 0.6], [0.5, 0.5, 0.5], [0.3, 0.6, 0.4]]
    let found = try Tint.applied(toColours: colours, ##""colour": "#b09080", "strength": 1"##)
    for (found, colour) in zip(found, colours) {
      let l = PointFormulas.oklab(colour)[0]
      let side = (2 * l - 1) * (2 * l - 1)
      let wanted = [l, (1 - side * side) * tone[1], (1 - side * side) * tone[2]]
      #expect(PointFormulas.oklab(found).isNear(wanted, within: 0.001), "\(found)")
    }
  }

  @Test func blackAndWhiteStayUnchanged() throws {
    let found = try Tint.applied(toColours: [[0, 0, 0], [1, 1, 1]], #""strength": 1"#)
    #expect(found[0].isNear([0, 0, 0]) && found[1].isNear([1, 1, 1]))
    try Tint.expectNoChange(#""strength": 0"#)
  }
}
