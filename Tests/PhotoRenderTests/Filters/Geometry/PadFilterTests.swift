import PhotoRecipes
import TestSupport
import Testing

/// The filter puts the photo into a larger frame of one colour.
@Suite struct PadFilterTests {
  private static let photo = Samples.noise(60, 40)

  /// The arguments are settings, the size of the padded photo, and the position of the photo in it.
  @Test(arguments: [
    (#""aspect": "1:1""#, [60, 60], [0, 10]),
    (#""aspect": "2:1", "gravity": "east""#, [80, 40], [20, 0]),
    (#""width": 100, "height": 50, "gravity": "northwest""#, [100, 50], [0, 0]),
    (#""width": 100, "height": 20, "gravity": "southeast""#, [100, 40], [40, 0]),
  ])
  func thePhotoIsPlacedAtTheGivenGravity(
    _ settings: String, _ size: [Int], _ place: [Int]
  ) throws {
    let found = try PadFilter.applied(to: Self.photo, ##"\##(settings), "colour": "#204060""##)
    let wanted = Samples(size[0], size[1]) { x, y in
      let (column, row) = (x - place[0], y - place[1])
      let isInside = (0..<60).contains(column) && (0..<40).contains(row)
      return isInside ? Self.photo[column, row] : [0x20, 0x40, 0x60]
    }
    #expect(found == wanted)
  }

  @Test func padRequiresExactlyOneFrame() {
    PadFilter.expectRefusal(of: "", "'pad' has no size for the frame")
    PadFilter.expectRefusal(of: #""width": 9, "aspect": "1:1""#, "both 'aspect' and a size")
  }
}
