import Testing

@testable import PhotoRecipes

@Suite struct HSLTests {
  private static let hues: [any WritableKeyPath<HSL, Double> & Sendable] = [
    \.red.hue, \.orange.hue, \.yellow.hue, \.green.hue, \.aqua.hue, \.blue.hue, \.purple.hue,
    \.magenta.hue,
  ]

  /// Where each hue of OKLab goes, in quarters of a degree.
  private func turned(_ filter: HSL) -> [Double] {
    (0...1440).map { Double($0) / 4 + filter.map[Double($0) / 4].shift }
  }

  /// At any strengths no hue passes another: colours that flow into one another still do.
  @Test func huesKeepTheirOrder() {
    var generator = SeededGenerator(seed: 4)
    for round in 0..<300 {
      var filter = HSL()
      for path in Self.hues {
        filter[keyPath: path] =
          round < 150
          ? Double.random(in: -1...1, using: &generator)
          : [-1, 0, 1].randomElement(using: &generator) ?? 0
      }
      let places = turned(filter)
      let rises = zip(places, places.dropFirst()).map { $1 - $0 }
      #expect(rises.allSatisfy { $0 > 0 }, "\(filter.sparse)")
    }
  }

  @Test func aHueGoesToItsNeighbourOnEitherSide() {
    var filter = HSL()
    filter.yellow.hue = 1
    let (yellow, green) = (ColourWheel.oklabHue(60), ColourWheel.oklabHue(120))
    #expect(abs(filter.map[yellow].shift - 0.6 * (green - yellow)) < 1e-9)
    filter.yellow.hue = -0.5
    let orange = ColourWheel.oklabHue(30)
    #expect(abs(filter.map[yellow].shift + 0.3 * (yellow - orange)) < 1e-9)
    #expect(filter.map[ColourWheel.oklabHue(240)].shift == 0)
  }
}
