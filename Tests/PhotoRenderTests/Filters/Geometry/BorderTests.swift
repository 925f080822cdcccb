import PhotoRecipes
import TestSupport
import Testing

/// A frame of one width and one colour.
@Suite struct BorderTests {
  private static let photo = Samples.noise(60, 40)

  /// The width is a number of pixels, a fraction of the photo's shorter edge, or a length in inches
  /// at a given resolution.
  @Test(arguments: [
    (#""width": 7"#, 7), (#""width": "10%""#, 4), (#""width": "1in", "dpi": 9"#, 9),
  ])
  func theBorderIsAsWideAsRequested(_ settings: String, _ width: Int) throws {
    let found = try Border.applied(to: Self.photo, ##"\##(settings), "colour": "#123456""##)
    let wanted = Samples(60 + 2 * width, 40 + 2 * width) { x, y in
      let (column, row) = (x - width, y - width)
      let isInside = (0..<60).contains(column) && (0..<40).contains(row)
      return isInside ? Self.photo[column, row] : [0x12, 0x34, 0x56]
    }
    #expect(found == wanted)
  }

  @Test func aTransparentBorderAddsAlpha() throws {
    let found = try Border.applied(to: Self.photo, ##""width": 3, "colour": "#12345600""##)
    #expect(found.bands == 4 && found[1, 1, 3] == 0 && found[3, 3] == Self.photo[0, 0] + [255])
    try Border.expectNoChange(#""width": 0"#)
  }
}
