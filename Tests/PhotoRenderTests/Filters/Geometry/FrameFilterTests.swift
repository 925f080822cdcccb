import PhotoRecipes
import TestSupport
import Testing

/// A line, a mat with an optional aspect ratio, and a border.
@Suite struct FrameFilterTests {
  @Test func aLineAMatAndABorderAreAddedFromInsideToOutside() throws {
    let photo = Samples.noise(60, 40)
    let found = try FrameFilter.applied(
      to: photo,
      ##""line": 2, "lineColour": "#f00", "mat": 10, "matColour": "#0f0", "aspect": "1:1", "border": 3, "borderColour": "#00f""##
    )
    // The width is 60 + 4 + 20 pixels. The mat makes the height the same, because of the ratio. The
    // border adds 6 pixels.
    #expect(found.width == 90 && found.height == 90)
    let row = (0..<18).map { found[$0, 45] }
    let colours = [([0, 0, 255], 3), ([0, 255, 0], 10), ([255, 0, 0], 2)]
    #expect(Array(row.prefix(15)) == colours.flatMap { Array(repeating: $0.0, count: $0.1) })
    #expect(found.part(15, 25, 60, 40) == photo)
  }

  /// The line is 0.003 of the shorter edge of 1000 pixels, which becomes 1006 pixels; the mat is
  /// 0.08 of these 1006 pixels.
  @Test func widthsAreFractionsOfTheShorterEdge() throws {
    let found = try FrameFilter.applied(to: .flat([9, 9, 9], 1200, 1000))
    let mat = Int((0.08 * 1006).rounded())
    #expect(found.width == 1206 + 2 * mat && found.height == 1006 + 2 * mat)
    #expect(found[mat, 500] == [0x30, 0x30, 0x30] && found[mat - 1, 500] == [255, 255, 255])
  }
}
