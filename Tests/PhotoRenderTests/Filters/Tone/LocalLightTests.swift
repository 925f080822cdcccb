import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// The filter applies the curve of the filter `light` to the local base (the luma, smoothed except
/// at edges).
@Suite struct LocalLightTests {
  /// In a flat photo, the local base equals the photo.
  @Test(arguments: [1, 0.5, -0.5, -1]) func tonesOfAFlatPhotoMatchTheFormula(
    _ amount: Double
  ) throws {
    for grey in [0, 0.02, 0.05, 0.2, 0.5, 0.9, 1] {
      let lightness = cbrt(PointFormulas.light(grey))
      let gain = 1 + 0.9 * amount * pow(1 - lightness, 3)
      let wanted = PointFormulas.display(pow(gain * lightness, 3))
      let found = try LocalLight.applied(toFlat: grey, #""amount": \#(amount)"#)
      #expect(abs(found - wanted) < 0.0005, "\(grey): \(found), not \(wanted)")
    }
  }

  /// The filter keeps more of the contrast of fine dark stripes, relative to their mean, than the
  /// filter `light`.
  @Test func finelyStripedShadowsKeepTheirContrast() throws {
    let photo = Samples(240, 160, maximum: 65_535) { x, _ in
      Array(repeating: x % 4 < 2 ? 6000 : 18_000, count: 3)
    }
    func contrast(_ samples: Samples) -> Double {
      let part = samples.part(60, 40, 120, 80)
      return part.deviation / part.mean
    }
    let settings = #""amount": 1"#
    let local = try contrast(LocalLight.applied(to: photo, settings))
    let whole = try contrast(Light.applied(to: photo, settings))
    #expect(local > 0.78 * contrast(photo), "\(local) of \(contrast(photo))")
    #expect(whole < 0.75 * contrast(photo), "\(whole) of \(contrast(photo))")
  }

  @Test func brightAreasStayUnchanged() throws {
    let photo = Samples.edge(0.1, 0.9, 240, 120)
    let found = try LocalLight.applied(to: photo, #""amount": 1"#)
    #expect(abs(found[180, 60, 1] - photo[180, 60, 1]) < 400)
    #expect(found[60, 60, 1] - photo[60, 60, 1] > 3_000)
    try LocalLight.expectNoChange(#""amount": 0"#)
  }
}
