import Testing

@testable import PhotoRecipes

@Suite struct ColourWheelTests {
  private static let corners: [(hue: Double, colour: ColourMatrix.Vector)] = [
    (0, .init(1, 0, 0)), (30, .init(1, 0.5, 0)), (60, .init(1, 1, 0)), (120, .init(0, 1, 0)),
    (195, .init(0, 0.75, 1)), (240, .init(0, 0, 1)), (300, .init(1, 0, 1)), (360, .init(1, 0, 0)),
  ]

  @Test(arguments: corners)
  func coloursOfTheWheelEqualKnownValues(_ hue: Double, _ expected: ColourMatrix.Vector) {
    let difference = ColourWheel.colour(hue) - expected
    #expect((difference * difference).sum() < 1e-20)
  }

  /// The expected OKLab hues of fully saturated sRGB colours are from colour-science 0.4.7, with
  /// rounded RGB matrices.
  @Test(arguments: [(0.0, 29.22), (60, 109.78), (120, 142.51), (240, 264.07), (300, 328.35)])
  func huesOfTheColourWheelAreConvertedToOKLab(_ hue: Double, _ expected: Double) {
    #expect(abs(ColourWheel.oklabHue(hue) - expected) < 0.05)
  }
}
