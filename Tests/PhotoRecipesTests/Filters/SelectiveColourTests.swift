import Testing

@testable import PhotoRecipes

@Suite struct SelectiveColourTests {
  private static func map(_ change: (inout SelectiveColour) -> Void) -> HueMap {
    var filter = SelectiveColour()
    filter.colour = Colour(red: 40, green: 160, blue: 90)
    change(&filter)
    return filter.map
  }

  /// With any settings, the hues keep their order around the colour wheel.
  @Test(arguments: [0, 0.5, 1, 2.0], [-1, 1.0])
  func huesKeepTheirOrder(_ spread: Double, _ hue: Double) {
    let map = Self.map { ($0.spread, $0.hue) = (spread, hue) }
    let places = (0...1440).map { Double($0) / 4 + map[Double($0) / 4].shift }
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test(arguments: [(0, 15), (1, 45), (2, 75.0)])
  func huesBeyondTheReachStayUnchanged(_ spread: Double, _ reach: Double) {
    let map = Self.map { ($0.spread, $0.saturation, $0.luminance) = (spread, -1, 0.5) }
    let centre = OKLab.hue(ofEncoded: Colour(red: 40, green: 160, blue: 90).encoded)
    #expect(map[centre].chroma == 0 && map[centre].lightness == 0.5)
    for hue in stride(from: 0.0, to: 360, by: 1) {
      let apart = abs((hue - centre + 540).truncatingRemainder(dividingBy: 360) - 180)
      if apart > reach { #expect(map[hue].chroma == 1 && map[hue].lightness == 0, "\(hue)") }
      if apart < reach - 1 { #expect(map[hue].chroma < 1, "\(hue)") }
    }
  }

  @Test func aGreyAsTheChosenColourIsRefused() {
    let filters = ##"[{"filter": "selectiveColour", "colour": "#777777", "hue": 1}]"##
    #expect(diagnostics(RecipeText(filters: filters)).count == 1)
  }
}
