import Testing

@testable import PhotoRecipes

@Suite struct FalseColourTests {
  private func colours(_ palette: FalseColour.Palette) -> [ColourMatrix.Vector] {
    (0...500).map { palette.colour(Double($0) / 500) }
  }

  @Test(arguments: FalseColour.Palette.allCases)
  func palettesStayInsideSRGB(_ palette: FalseColour.Palette) {
    for colour in colours(palette) {
      #expect(colour.min() > -0.01 && colour.max() < 1.01, "\(colour)")
    }
  }

  @Test(arguments: [FalseColour.Palette.dusk, .ember, .ocean])
  func theLightnessOfAPaletteIncreases(_ palette: FalseColour.Palette) {
    let lightness = colours(palette).map { OKLab.lab(fromEncoded: $0).x }
    #expect(zip(lightness, lightness.dropFirst()).allSatisfy { $0 < $1 })
  }
}
