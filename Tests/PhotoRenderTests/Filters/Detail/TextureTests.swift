import PhotoRecipes
import TestSupport
import Testing

/// Fine structure in the midtones: the filter changes the luma's distance from a base (the luma,
/// finely smoothed except at edges).
///
/// The ratio of this distance to the luma's distance from black or white is multiplied or divided
/// by up to 2.5.
@Suite struct TextureTests {
  private static let photo = Samples.grain(around: 0.5, deviation: 0.02, 1200, 600)

  /// The standard deviation of fine grain around middle grey is multiplied by the filter's factor.
  ///
  /// Near middle grey, the luma's distance from black or white hardly changes, so the factor also
  /// applies to the deviation.
  @Test(arguments: [(1, 2.5), (0.5, 1.581), (-1, 0.4)])
  func textureMultipliesTheContrastOfFineGrain(_ amount: Double, _ factor: Double) throws {
    let found = try Texture.applied(to: Self.photo, #""amount": \#(amount)"#)
    let gain = found.part(50, 50, 200, 100).deviation / Self.photo.part(50, 50, 200, 100).deviation
    #expect(abs(gain / factor - 1) < 0.25, "\(gain), not \(factor)")
    #expect(abs(found.mean - 0.5) < 0.005)
  }

  /// Broad structures, such as waves of a tenth of the frame, stay unchanged; the filter `clarity`
  /// is for such structures.
  @Test func broadStructuresStayUnchanged() throws {
    let photo = Samples(300, 60, maximum: 65_535) { x, _ in
      Array(repeating: 32_768 + (x % 60 < 30 ? x % 30 : 30 - x % 30) * 150, count: 3)
    }
    let found = try Texture.applied(to: photo, #""amount": 1"#)
    #expect(abs(found.deviation / photo.deviation - 1) < 0.1)
    try Texture.expectNoChange(#""amount": 0"#)
  }
}
