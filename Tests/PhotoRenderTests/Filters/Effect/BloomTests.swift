import PhotoRecipes
import TestSupport
import Testing

/// The light of bright pixels, blurred and added in screen mode.
@Suite struct BloomTests {
  /// In a flat photo, which a blur does not change, the result is `out = in + (1 − in) × g ÷ (1 +
  /// g)` in linear light.
  ///
  /// In this formula, g is `amount × in × smoothstep(threshold, 1, luma)`.
  @Test(arguments: [0.5, 0.8, 0.9, 1]) func aFlatPhotoMatchesTheFormula(_ grey: Double) throws {
    let t = min(1, max(0, (grey - 0.6) / 0.4))
    let light = PointFormulas.light(grey)
    let glow = 1.5 * light * t * t * (3 - 2 * t)
    let wanted = PointFormulas.display(light + (1 - light) * glow / (1 + glow))
    let found = try Bloom.applied(
      toFlat: grey, #""amount": 1.5, "radius": 3, "threshold": 0.6"#)
    #expect(abs(found - wanted) < 0.0005, "\(found), not \(wanted)")
  }

  @Test func aBrightLampGlowsEquallyOnAllSides() throws {
    let photo = Samples(61, 61) { x, y in
      let isLamp = (28...32).contains(x) && (28...32).contains(y)
      return isLamp ? [255, 255, 255] : [40, 50, 60]
    }
    let found = try Bloom.applied(to: photo, #""amount": 3, "radius": 4"#)
    let row = (30..<61).map { found[$0, 30, 1] }
    #expect(row[4] > 60 && row[30] == 50)
    #expect(zip(row, row.dropFirst()).allSatisfy { $0 >= $1 }, "\(row)")
    for place in [found[24, 30], found[30, 24], found[30, 36]] {
      #expect(zip(place, found[36, 30]).allSatisfy { abs($0 - $1) <= 1 })
    }
    try Bloom.expectNoChange(#""amount": 0"#)
  }
}
