import PhotoRecipes
import TestSupport
import Testing

/// The filter multiplies the local base B (the luma, smoothed except at edges) by `1 + k (1 − B)⁴`,
/// where k depends on the amount.
@Suite struct ShadowsTests {
  /// In a flat photo, the local base equals the photo.
  @Test(arguments: [(1, 2.4), (0.5, 1.2), (-0.5, -0.4), (-1, -0.8)])
  func tonesOfAFlatPhotoMatchTheFormula(_ amount: Double, _ k: Double) throws {
    for grey in [0, 0.05, 0.2, 0.5, 0.9, 1] {
      let far = (1 - grey) * (1 - grey)
      let wanted = grey * (1 + k * far * far)
      let found = try Shadows.applied(toFlat: grey, #""amount": \#(amount)"#)
      #expect(abs(found - wanted) < 0.0005, "\(grey): \(found), not \(wanted)")
    }
  }

  @Test func brightAreasStayUnchanged() throws {
    let photo = Samples.edge(0.1, 0.9, 240, 120)
    let found = try Shadows.applied(to: photo, #""amount": 1"#)
    #expect(abs(found[180, 60, 1] - photo[180, 60, 1]) < 130)
    #expect(found[60, 60, 1] - photo[60, 60, 1] > 6_000)
    try Shadows.expectNoChange(#""amount": 0"#)
  }
}
