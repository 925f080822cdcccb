import PhotoRecipes
import Testing

/// A line, a mat, perhaps of a ratio, and a border.
@Suite struct FrameFilterTests {
  @Test func lineMatAndBorderSurroundOneAnother() throws {
    let photo = Samples.noise(60, 40)
    let found = try FrameFilter.applied(
      to: photo,
      ##""line": 2, "lineColour": "#f00", "mat": 10, "matColour": "#0f0", "aspect": "1:1", "border": 3, "borderColour": "#00f""##
    )
    // 60 + 4 + 20 wide, as high for the ratio, and 6 more.
    #expect(found.width == 90 && found.height == 90)
    let row = (0..<18).map { found[$0, 45] }
    let colours = [([0, 0, 255], 3), ([0, 255, 0], 10), ([255, 0, 0], 2)]
    #expect(Array(row.prefix(15)) == colours.flatMap { Array(repeating: $0.0, count: $0.1) })
    #expect(found.part(15, 25, 60, 40) == photo)
  }

  /// The line is 0.003 of 1000 pixels, the mat 0.08 of the 1006 that it makes of them.
  @Test func partsAreOfTheShorterEdge() throws {
    let found = try FrameFilter.applied(to: .flat([9, 9, 9], 1200, 1000))
    let mat = Int((0.08 * 1006).rounded())
    #expect(found.width == 1206 + 2 * mat && found.height == 1006 + 2 * mat)
    #expect(found[mat, 500] == [0x30, 0x30, 0x30] && found[mat - 1, 500] == [255, 255, 255])
  }
}
