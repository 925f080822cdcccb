import PhotoRecipes
import TestSupport
import Testing
import Vips

/// Every photo is rotated upright, also without this filter.
@Suite struct OrientTests {
  /// A photo is rotated once, no matter how many steps of a recipe apply its orientation tag.
  ///
  /// Here the tag means a rotation by 90°: the lower left of the stored picture becomes the upper
  /// left.
  @Test func theOrientationTagIsAppliedOnce() throws {
    let stored = Samples.noise(40, 24)
    let photo = try stored.file("tiffsave_target", fields: ["orientation": .integer(6)])
    let upright = Samples(24, 40) { x, y in stored[y, 23 - x] }
    for filters in [
      "[]", "[\(Orient.step(""))]", #"[{"filter": "orient"}, {"filter": "orient", "id": "b"}]"#,
    ] {
      #expect(try Samples(file: Studio.develop(photo, filters)) == upright, "\(filters)")
    }
  }

  @Test func aPhotoWithoutAnOrientationTagStaysUnchanged() throws { try Orient.expectNoChange("") }
}
