import PhotoRecipes
import TestSupport
import Testing

/// The filter multiplies a contrast by `v² ÷ (v² + 1)`, where v is the variance of the contrast
/// divided by the square of the threshold.
@Suite struct SurfaceBlurTests {
  @Test func surfacesOfLowContrastAreSmoothed() throws {
    let photo = Samples.grain(around: 0.5, deviation: 0.015, 120, 80)
    let found = try SurfaceBlur.applied(to: photo, #""radius": 5, "threshold": 0.06"#)
    #expect(found.deviation < 0.25 * photo.deviation, "\(found.deviation)")
    #expect(abs(found.mean - photo.mean) < 0.001)
  }

  @Test func edgesOfHighContrastStay() throws {
    let photo = Samples.edge(0.1, 0.9, 120, 60)
    let found = try SurfaceBlur.applied(to: photo, #""radius": 5, "threshold": 0.06"#)
    for x in 0..<120 {
      #expect(abs(found[x, 30, 1] - photo[x, 30, 1]) < 600, "\(x): \(found[x, 30])")
    }
  }

  /// Half of a contrast equal to the threshold is kept; almost all of a higher contrast is kept,
  /// and little of a lower one.
  @Test func theThresholdDecidesWhichEdgesStay() throws {
    let photo = Samples.grain(around: 0.5, deviation: 0.05, 120, 80)
    let kept = try [0.005, 0.05, 0.5].map {
      try SurfaceBlur.applied(to: photo, #""threshold": \#($0)"#).deviation / photo.deviation
    }
    #expect(kept[0] > 0.95 && (0.4...0.6).contains(kept[1]) && kept[2] < 0.15, "\(kept)")
  }
}
