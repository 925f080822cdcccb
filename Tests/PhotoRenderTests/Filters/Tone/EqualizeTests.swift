import PhotoRecipes
import TestSupport
import Testing

/// Each tone becomes the fraction of the pixels that are darker.
@Suite struct EqualizeTests {
  /// The results nearly equal those of scikit-image.
  ///
  /// They differ a little because scikit-image interpolates between the middles of histogram steps.
  @Test func theEqualizeFilterMatchesScikitImage() throws {
    try EqualizedScene.compare(
      "equalize", Equalize.step(""), scale: 1, worst: 0.015, mean: 0.008)
  }

  @Test func aRampWithEquallyFrequentTonesStaysUnchanged() throws {
    let ramp = Samples(256, 16) { x, _ in [x, x, x] }
    #expect(try ramp.difference(from: Equalize.applied(to: ramp)) <= 2)
    try Equalize.expectNoChange(#""strength": 0"#)
  }

  /// If all tones are dark, they are spread so that each tenth of the pixels fills a tenth of the
  /// range.
  @Test func aDarkPhotoIsSpreadOverTheFullRange() throws {
    let photo = Samples(200, 16) { x, _ in Array(repeating: 20 + x / 4, count: 3) }
    let found = try Equalize.applied(to: photo)
    for x in stride(from: 10, to: 200, by: 20) {
      #expect(abs(found[x, 8, 1] - 255 * x / 200) <= 6, "\(x): \(found[x, 8])")
    }
  }
}
