import PhotoRecipes
import TestSupport
import Testing

/// A rotation by a multiple of 90° only moves pixels, without resampling.
@Suite struct RotateTests {
  private static let photo = Samples.noise(31, 20, maximum: 65_535)

  @Test(arguments: [90, -270]) func aRotationBy90DegreesIsClockwise(_ angle: Int) throws {
    let found = try Rotate.applied(to: Self.photo, #""angle": \#(angle)"#)
    #expect(found == Samples(20, 31, maximum: 65_535) { x, y in Self.photo[y, 19 - x] })
  }

  @Test func rotationsMovePixelsWithoutResampling() throws {
    let half = try Rotate.applied(to: Self.photo, #""angle": 180"#)
    #expect(half == Samples(31, 20, maximum: 65_535) { x, y in Self.photo[30 - x, 19 - y] })
    let back = try Rotate.applied(to: Self.photo, #""angle": -90"#)
    #expect(back == Samples(20, 31, maximum: 65_535) { x, y in Self.photo[30 - y, x] })
  }

  @Test func anglesThatAreNotMultiplesOf90AreRefused() throws {
    Rotate.expectRefusal(of: #""angle": 45"#, "cannot rotate by 45 degrees")
    try Rotate.expectNoChange(#""angle": 0"#)
  }
}
