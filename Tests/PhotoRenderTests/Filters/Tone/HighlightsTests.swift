import PhotoRecipes
import TestSupport
import Testing

/// The filter multiplies the distance of the local base B (the luma, smoothed except at edges) from
/// white by `1 + k B³`, where k depends on the amount.
@Suite struct HighlightsTests {
  /// In a flat photo, the local base equals the photo.
  @Test(arguments: [(-1, 1.45), (-0.5, 0.725), (0.5, -0.4), (1, -0.8)])
  func tonesOfAFlatPhotoMatchTheFormula(_ amount: Double, _ k: Double) throws {
    for grey in [0, 0.1, 0.5, 0.8, 0.95, 1] {
      let wanted = 1 - (1 + k * grey * grey * grey) * (1 - grey)
      let found = try Highlights.applied(toFlat: grey, #""amount": \#(amount)"#)
      #expect(abs(found - wanted) < 0.0005, "\(grey): \(found), not \(wanted)")
    }
  }

  /// Dark pixels beside a bright half stay visually the same as without the bright half.
  @Test func darkAreasStayUnchanged() throws {
    let photo = Samples.edge(0.1, 0.9, 240, 120)
    let found = try Highlights.applied(to: photo, #""amount": -1"#)
    #expect(abs(found[60, 60, 1] - photo[60, 60, 1]) < 130)
    #expect(photo[180, 60, 1] - found[180, 60, 1] > 6_000)
    try Highlights.expectNoChange(#""amount": 0"#)
  }

  /// With shadows brightened and highlights darkened, tones keep their order, and no tone near
  /// white is spread to more than 2.5 tones.
  @Test func tonesNearWhiteKeepTheirOrderWithoutLargeGaps() throws {
    let ramp = Samples(1024, 64, maximum: 65_535) { x, _ in
      Array(repeating: x * 65_535 / 1023, count: 3)
    }
    let steps = #"[{"filter": "highlights", "amount": -1}, {"filter": "shadows", "amount": 1}]"#
    let found = try Samples(file: Studio.develop(ramp.file(), steps))
    let tones = (0..<1024).map { Double(found[$0, 32, 1]) / 65_535 }
    #expect(zip(tones, tones.dropFirst()).allSatisfy { $0 < $1 })
    let slopes = zip(tones, tones.dropFirst(8)).map { ($1 - $0) * 1023 / 8 }
    #expect((slopes.suffix(300).max() ?? 9) <= 2.5, "\(slopes.suffix(300).max() ?? 9)")
  }

  /// Bands of 8-bit greys; an exposure of one stop moves three of them above white.
  private static let greys = [96, 160, 192, 224, 255]

  private static func bands(_ filters: String) throws -> [Double] {
    let photo = Samples(500, 96) { x, _ in Array(repeating: greys[x / 100], count: 3) }
    let result = try Samples(file: Studio.develop(photo.file(), filters))
    return greys.indices.map { Double(result[100 * $0 + 50, 48, 1]) / 255 }
  }

  /// Checks the result in two parts: a shoulder compresses the tones up to the brightest luma
  /// towards white, and the filter's formula then changes the compressed tones.
  @Test(arguments: [-1, -0.5]) func highlightsAboveWhiteAreRecovered(_ amount: Double) throws {
    let found = try Self.bands(
      #"[{"filter": "exposure", "stops": 1}, {"filter": "highlights", "amount": \#(amount)}]"#)
    let tones = Self.greys.map { PointFormulas.display(2 * PointFormulas.light(Double($0) / 255)) }
    let white = tones[4]
    let end = white + amount * (white - 1)
    let bend = 1 / (end - 0.5) - 1 / (white - 0.5)
    for (tone, value) in zip(tones, found) {
      let lower = tone <= 0.5 ? tone : 0.5 + (tone - 0.5) / (1 + bend * (tone - 0.5))
      let formula = 1 - (1 - 1.45 * amount * lower * lower * lower) * (1 - lower)
      let wanted = lower < 1 ? formula : 1
      #expect(abs(value - wanted) < 0.012, "\(tone): \(value), not \(wanted)")
    }
    #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 || $0 == 1 })
  }

  /// Highlights above white also come back if the filter `shadows`, which measures the same local
  /// base, comes first.
  @Test func highlightsAboveWhiteAreRecoveredAfterTheShadowsFilter() throws {
    let found = try Self.bands(
      #"[{"filter": "exposure", "stops": 1}, {"filter": "shadows", "amount": 0.3},"#
        + #" {"filter": "highlights", "amount": -1}]"#)
    #expect(found[2] < 0.8 && found[3] < 0.95 && found[4] > 0.99, "\(found)")
  }
}
