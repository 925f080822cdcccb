import TestRandom
import Testing

@testable import PhotoRecipes

@Suite struct HSLTests {
  private static let hues: [any WritableKeyPath<HSL, Double> & Sendable] = [
    \.red.hue, \.orange.hue, \.yellow.hue, \.green.hue, \.aqua.hue, \.blue.hue, \.purple.hue,
    \.magenta.hue,
  ]

  /// The new hue in degrees for each OKLab hue, in steps of a quarter of a degree.
  private func turned(_ filter: HSL) -> [Double] {
    (0...1440).map { Double($0) / 4 + filter.map[Double($0) / 4].shift }
  }

  /// With any settings, the hues keep their order around the colour wheel, so smooth transitions
  /// between colours stay smooth.
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

  @Test func aHueMovesTowardsTheNeighbouringHue() {
    var filter = HSL()
    filter.yellow.hue = 1
    let (yellow, green) = (ColourWheel.oklabHue(60), ColourWheel.oklabHue(120))
    #expect(abs(filter.map[yellow].shift - 0.6 * (green - yellow)) < 1e-9)
    filter.yellow.hue = -0.5
    let orange = ColourWheel.oklabHue(30)
    #expect(abs(filter.map[yellow].shift + 0.3 * (yellow - orange)) < 1e-9)
    #expect(filter.map[ColourWheel.oklabHue(240)].shift == 0)
  }

  private static func random(_ generator: inout SeededGenerator) -> HSL {
    var filter = HSL()
    for path in [\HSL.red, \.orange, \.yellow, \.green, \.aqua, \.blue, \.purple, \.magenta] {
      filter[keyPath: path] = HSL.Change(
        hue: Double.random(in: -1...1, using: &generator),
        saturation: Double.random(in: -1...1, using: &generator),
        luminance: Double.random(in: -1...1, using: &generator))
    }
    return filter
  }

  /// The result for an sRGB colour may be outside sRGB, but clipping hardly changes its look: in 98
  /// % of the cases by less than 0.02 in OKLab, which is just visible.
  @Test func changedColoursStayNearTheGamut() {
    var generator = SeededGenerator(seed: 9)
    var distances: [Double] = []
    for _ in 0..<20 {
      let map = Self.random(&generator).map
      for _ in 0..<300 {
        let colour = ColourMatrix.Vector(
          (0..<3).map { _ in
            min(1, max(0, Double.random(in: -0.2...1.2, using: &generator)))
          })
        let lab = map(OKLab.lab(fromEncoded: colour))
        let shown = OKLab.encoded(fromLab: lab).clamped(lowerBound: .zero, upperBound: .one)
        let lost = OKLab.lab(fromEncoded: shown) - lab
        distances.append((lost * lost).sum().squareRoot())
      }
    }
    distances.sort()
    #expect((distances.last ?? 1) < 0.09, "\(distances.last ?? 1)")
    #expect(distances[distances.count * 98 / 100] < 0.02)
  }

  /// Two colours with the same hue keep the order of their saturations, or become almost equal.
  ///
  /// For example, the filter keeps the shading of petals.
  @Test func coloursOfTheSameHueKeepTheOrderOfTheirSaturations() {
    var filter = HSL()
    filter.red = HSL.Change(saturation: 1)
    filter.orange = HSL.Change(saturation: 1)
    filter.magenta = HSL.Change(saturation: 1)
    let map = filter.map
    let red = OKLab.lab(fromEncoded: .init(0.9, 0.1, 0.15))
    let chromas = (0...100).map { step -> Double in
      let part = Double(step) / 100
      let lab = map(red * .init(1, part, part))
      return (lab.y * lab.y + lab.z * lab.z).squareRoot()
    }
    #expect(zip(chromas, chromas.dropFirst()).allSatisfy { $0 < $1 + 0.0005 })
    #expect(chromas[20] > 1.7 * chromas[100] * 0.2)
  }

  @Test func theLightnessStaysBetweenBlackAndWhite() {
    for amount in [-1.0, 1] {
      var filter = HSL()
      filter.yellow.luminance = amount
      filter.blue.luminance = amount
      for colour in [ColourMatrix.Vector(1, 1, 0), .init(0, 0, 1), .init(0.1, 0.1, 0)] {
        let before = OKLab.lab(fromEncoded: colour)
        let after = filter.map(before)
        #expect(amount > 0 ? after.x > before.x : after.x < before.x)
        #expect((0..<1).contains(after.x))
      }
    }
  }
}
