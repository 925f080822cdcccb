import PhotoRecipes
import TestSupport
import Testing

/// A sharp band between blurred areas.
@Suite struct TiltShiftTests {
  /// Lines that are two pixels wide and cross the band.
  private static func photo(areUpright: Bool) -> Samples {
    Samples(160, 160) { x, y in
      Array(repeating: (areUpright ? x : y) % 4 < 2 ? 60 : 190, count: 3)
    }
  }

  /// The sharp band covers 32 rows in the middle.
  ///
  /// On each side of the band, the blur increases over 40 rows; farther out, the photo is fully
  /// blurred.
  @Test(arguments: [true, false]) func theBandStaysSharpAndTheRestIsBlurred(_ isLevel: Bool) throws
  {
    let photo = Self.photo(areUpright: isLevel)
    let angle = isLevel ? 0 : 90
    let found = try TiltShift.applied(to: photo, #""radius": 6, "angle": \#(angle)"#)
    func place(_ along: Int, _ away: Int) -> (Int, Int) { isLevel ? (along, away) : (away, along) }
    for along in 40..<120 {
      for away in 66..<94 {
        let (x, y) = place(along, away)
        #expect(found[x, y] == photo[x, y])
      }
      for away in [10, 20, 140, 150] {
        let (x, y) = place(along, away)
        #expect(abs(found[x, y, 1] - 125) <= 3, "\(x), \(y): \(found[x, y])")
      }
    }
  }

  @Test func theBandOfFocusFollowsItsSettings() throws {
    let photo = Self.photo(areUpright: true)
    let found = try TiltShift.applied(to: photo, #""radius": 6, "y": 0"#)
    #expect(found[80, 2] == photo[80, 2] && abs(found[80, 150, 1] - 125) <= 3)
    try TiltShift.expectNoChange(#""radius": 0.9"#)
  }
}
