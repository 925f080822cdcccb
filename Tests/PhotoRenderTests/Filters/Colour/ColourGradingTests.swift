import PhotoRecipes
import TestSupport
import Testing

/// Colour and luminance of shadows, midtones, highlights and the whole photo.
@Suite struct ColourGradingTests {
  @Test(arguments: PointOracle.cases(of: ColourGrading.self))
  func theColourGradingFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  private static let greys = [0, 0.2, 0.45, 0.8, 1]

  /// The OKLab colours of black, a grey of each range, and white after the filter.
  private static func graded(_ settings: String) throws -> [[Double]] {
    try ColourGrading.applied(toColours: greys.map { [$0, $0, $0] }, settings)
      .map(PointFormulas.oklab)
  }

  /// A yellow for one range of tones is strongest in this range; in OKLab, yellow has a positive b.
  @Test(arguments: [("shadows", 1), ("midtones", 2), ("highlights", 3)])
  func aColourIsStrongestInItsRangeOfTones(_ range: String, _ index: Int) throws {
    let found = try Self.graded(#""\#(range)Hue": 60, "\#(range)Chroma": 1, "blending": 0.3"#)
    let yellows = found.map { $0[2] }
    #expect(yellows[index] > 0.05 && yellows[index] == yellows.max(), "\(yellows)")
    #expect(abs(yellows[0]) < 0.001 && abs(yellows[4]) < 0.001)
    // A yellow outside sRGB is moved into sRGB.
    for (lab, grey) in zip(found, Self.greys) {
      #expect(abs(lab[0] - PointFormulas.oklab([grey, grey, grey])[0]) < 0.004)
    }
  }

  @Test(arguments: [("shadows", 1), ("midtones", 2), ("highlights", 3)])
  func aLuminanceChangesItsRangeOfTonesMost(_ range: String, _ index: Int) throws {
    let before = Self.greys.map { PointFormulas.oklab([$0, $0, $0])[0] }
    let found = try Self.graded(#""\#(range)Luminance": 1"#).map { $0[0] }
    let rises = zip(found, before).map(-)
    #expect(rises[index] > 0.03 && rises[index] == rises.max(), "\(rises)")
    #expect(abs(rises[0]) < 0.001 && abs(rises[4]) < 0.001)
  }

  /// A range does not change the lightness of tones outside it, and changes none in the opposite
  /// direction.
  @Test(arguments: ["shadows", "midtones", "highlights"], [-1.0, 1])
  func aLuminanceNeverWorksInTheOppositeDirection(_ range: String, _ luminance: Double) throws {
    let greys = (0...255).map { Double($0) / 255 }
    for balance in [-1.0, 0, 1] {
      let found = try ColourGrading.applied(
        toGreys: greys, #""\#(range)Luminance": \#(luminance), "balance": \#(balance)"#)
      for (grey, value) in zip(greys, found) {
        #expect(luminance * (value - grey) >= -0.0005, "\(grey) \(value)")
      }
    }
    let centred = try ColourGrading.applied(
      toGreys: [0.03, 0.9], #""midtonesLuminance": \#(luminance)"#)
    #expect(abs(centred[0] - 0.03) < 0.0005 && abs(centred[1] - 0.9) < 0.0005, "\(centred)")
  }

  /// With any settings, brighter greys stay brighter than darker greys.
  @Test(arguments: [-1.0, 0, 1], [-1.0, 0, 1]) func gradedTonesKeepTheirOrder(
    _ shadows: Double, _ highlights: Double
  ) throws {
    let greys = (0...64).map { Double($0) / 64 }
    for balance in [-1.0, 1] {
      let found = try ColourGrading.applied(
        toGreys: greys,
        #""shadowsLuminance": \#(shadows), "midtonesLuminance": \#(-shadows), "#
          + #""highlightsLuminance": \#(highlights), "globalLuminance": 1, "balance": \#(balance)"#)
      for (darker, brighter) in zip(found, found.dropFirst()) { #expect(darker <= brighter) }
    }
  }

  @Test func aGradingOfStrengthZeroDoesNotChangeThePhoto() throws {
    try ColourGrading.expectNoChange(#""shadowsHue": 40, "balance": 1, "blending": 0"#)
  }
}
