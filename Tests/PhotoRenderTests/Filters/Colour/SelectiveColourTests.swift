import PhotoRecipes
import TestSupport
import Testing

/// Changes of the colours around one colour, which the user chooses freely.
@Suite struct SelectiveColourTests {
  @Test(arguments: PointOracle.cases(of: SelectiveColour.self))
  func theSelectiveColourFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  /// The chosen colour, the green #3c8c3c, becomes a grey of the same lightness.
  ///
  /// Purple is far from this green, and greys have no hue, so both stay unchanged.
  @Test func theChosenColourChangesAndOtherColoursStay() throws {
    let colours = [[60.0, 140, 60], [130, 60, 140], [128, 128, 128]].map { $0.map { $0 / 255 } }
    let found = try SelectiveColour.applied(
      toColours: colours, ##""colour": "#3c8c3c", "saturation": -1"##)
    let l = PointFormulas.oklab(colours[0])[0]
    let grey = Array(repeating: PointFormulas.display(l * l * l), count: 3)
    #expect(found[0].isNear(grey, within: 0.001), "\(found[0])")
    #expect(found[1].isNear(colours[1], within: 0.0005) && found[2].isNear(colours[2]))
  }

  @Test func aGreyAsTheChosenColourIsRefused() throws {
    SelectiveColour.expectRefusal(of: ##""colour": "#808080", "hue": 1"##, "has no hue")
    try SelectiveColour.expectNoChange(##""colour": "#3c8c3c", "hue": 0"##)
  }
}
