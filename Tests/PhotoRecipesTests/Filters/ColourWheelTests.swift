import Testing

@testable import PhotoRecipes

@Suite struct ColourWheelTests {
  @Test(arguments: [
    (0.0, [1.0, 0, 0]), (30, [1, 0.5, 0]), (60, [1, 1, 0]), (120, [0, 1, 0]), (195, [0, 0.75, 1]),
    (240, [0, 0, 1]), (300, [1, 0, 1]), (360, [1, 0, 0]),
  ])
  func colours(_ hue: Double, _ expected: [Double]) {
    let colour = ColourWheel.colour(hue)
    for channel in 0..<3 { #expect(abs(colour[channel] - expected[channel]) < 1e-12) }
  }

  /// The hues of sRGB's primaries in OKLab, from colour-science 0.4.7.
  @Test(arguments: [(0.0, 29.22), (60, 109.78), (120, 142.51), (240, 264.07), (300, 328.35)])
  func huesInOKLab(_ hue: Double, _ expected: Double) {
    #expect(abs(ColourWheel.oklabHue(hue) - expected) < 0.01)
  }
}
