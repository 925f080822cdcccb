import PhotoRecipes
import TestSupport
import Testing

/// A colour behind transparent pixels.
@Suite struct BackgroundTests {
  @Test func theBackgroundIsMixedInByAlpha() throws {
    let photo = Samples(4, 1) { x, _ in [200, 100, 0, 51 * x] }
    let found = try Background.applied(to: photo, ##""colour": "#0000ff""##)
    // One fifth of the photo's colour and four fifths of blue.
    #expect(
      (0..<4).map { found[$0, 0] } == [
        [0, 0, 255], [40, 20, 204], [80, 40, 153], [120, 60, 102],
      ])
  }

  @Test func anOpaquePhotoStaysUnchanged() throws {
    let photo = Samples.noise(20, 10)
    #expect(try Background.applied(to: photo) == photo)
    #expect(try Background.applied(to: .flat([7, 8, 9, 255], 4, 4)) == .flat([7, 8, 9], 4, 4))
  }
}
