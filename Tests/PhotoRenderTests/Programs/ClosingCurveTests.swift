import PhotoRecipes
import Testing

@testable import PhotoRender

/// Polynomials that approximate the tone curves of colour spaces.
@Suite struct ClosingCurveTests {
  private static let spaces: [StandardProfile] = [.displayP3, .adobeRGB, .proPhoto, .rec2020]

  private static func curve(of profile: StandardProfile) throws -> Curve {
    guard case .channels(let red, _, _) = ICCProfile(profile.bytes)?.fromSRGB?.last else {
      throw Missing()
    }
    return try #require(red.first)
  }

  private struct Missing: Error {}

  /// Compares values away from the interpolation points of the polynomial, most of them dark.
  @Test(arguments: spaces) func thePolynomialsOfCurvesAreExactWithinATenthOfALevel(
    _ profile: StandardProfile
  ) throws {
    let curve = try Self.curve(of: profile)
    let closing = try #require(ClosingCurve.known(for: .curve(curve)))
    for step in 0...30_011 {
      let part = Double(step) / 30_011
      let x = 1.1 * part * part * part
      try #require(abs(closing(x) - curve(x)) <= 0.101 / 255, "\(x)")
    }
    // Values far above white or below black stay outside 0…1, so they are still counted as clipped.
    #expect(closing(3) > 1 + 0.5 / 255 && closing(-0.001) < -0.5 / 255)
  }

  @Test func theSRGBCurveIsApproximatedByAPolynomial() {
    #expect(ClosingCurve.known(for: .curve(.encode)) != nil)
  }

  /// Curves with another shape, sequences of curves, and different curves for the channels are not
  /// replaced by a polynomial.
  @Test func curvesOfOtherShapesAreNotApproximated() throws {
    #expect(ClosingCurve.known(for: .curve(.sigmoid(4))) == nil)
    #expect(ClosingCurve.known(for: .curve(.power(6))) == nil)
    let (sRGB, wide) = (Curve.encode, try Self.curve(of: .proPhoto))
    #expect(
      ClosingCurve.known(for: .channels(red: [sRGB], green: [sRGB], blue: [wide])) == nil)
    let two = [sRGB, .linear(slope: 0.9, offset: 0.1)]
    #expect(ClosingCurve.known(for: .channels(red: two, green: two, blue: two)) == nil)
  }
}
