import PhotoRecipes
import TestSupport
import Testing

/// Local contrast in the midtones: the filter changes the luma's distance from the local base (the
/// luma, smoothed except at edges).
///
/// The ratio of this distance to the luma's distance from black or white is multiplied or divided
/// by up to 3.
@Suite struct ClarityTests {
  private static let photo = Samples.grain(around: 0.5, deviation: 0.03, 600, 400)

  /// The standard deviation of grain around middle grey is multiplied by the filter's factor.
  ///
  /// Near middle grey, the luma's distance from black or white hardly changes, so the factor also
  /// applies to the deviation.
  @Test(arguments: [(1, 3), (0.5, 1.732), (-1, 0.3333)])
  func clarityMultipliesTheContrastOfGrain(_ amount: Double, _ factor: Double) throws {
    let found = try Clarity.applied(to: Self.photo, #""amount": \#(amount)"#)
    let gain = found.part(50, 50, 200, 100).deviation / Self.photo.part(50, 50, 200, 100).deviation
    #expect(abs(gain / factor - 1) < 0.2, "\(gain), not \(factor)")
    #expect(abs(found.mean - 0.5) < 0.005)
  }

  @Test func flatAreasStayUnchanged() throws {
    for grey in [0, 0.1, 0.5, 0.9, 1] {
      let found = try Clarity.applied(toFlat: grey, #""amount": 1"#)
      #expect(abs(found - grey) < 0.0005, "\(grey): \(found)")
    }
    try Clarity.expectNoChange(#""amount": 0"#)
  }
}
