import PhotoRecipes
import TestSupport
import Testing

/// Histogram equalization in tiles, with limited contrast.
@Suite struct ClaheTests {
  /// The results nearly equal those of OpenCV.
  ///
  /// They differ a little because OpenCV uses the cumulative sum at the end of a histogram step,
  /// and phbatch the sum in the middle of the step.
  @Test func theClaheFilterMatchesOpenCV() throws {
    try EqualizedScene.compare(
      "clahe", Clahe.step(#""tiles": 4, "clipLimit": 4, "strength": 1"#), scale: 8, worst: 0.02,
      mean: 0.008)
  }

  @Test func aFlatPhotoStaysUnchanged() throws {
    let found = try Clahe.applied(to: .flat([120, 120, 120], 200, 100))
    #expect(Set(found.values).count == 1)
  }

  /// A dark and a bright part are equalized separately; a higher limit gives more contrast.
  @Test func aHigherLimitGivesMoreContrast() throws {
    let photo = Samples(256, 128) { x, y in
      Array(repeating: (x < 128 ? 30 : 180) + (7 * x + 3 * y) % 20, count: 3)
    }
    func contrast(_ limit: Int) throws -> Double {
      try Clahe.applied(to: photo, #""tiles": 2, "clipLimit": \#(limit), "strength": 1"#)
        .part(8, 8, 48, 112).deviation
    }
    let (soft, hard) = (try contrast(2), try contrast(6))
    #expect(photo.part(8, 8, 48, 112).deviation < soft && 1.5 * soft < hard, "\(soft), \(hard)")
    try Clahe.expectNoChange(#""strength": 0"#)
  }
}
