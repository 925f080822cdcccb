import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// A rotation by a few degrees, and the crop after it.
@Suite struct StraightenTests {
  /// The crop is the largest rectangle of the photo's shape in the rotated photo.
  ///
  /// For a photo that is wider than high, its scale is `1 ÷ (cos a + w ÷ h × sin a)`.
  @Test(arguments: [1, -10, 45.0]) func theCropIsAsLargeAsPossible(_ angle: Double) throws {
    let found = try Straighten.applied(to: .flat([9, 99, 200], 300, 200), #""angle": \#(angle)"#)
    let turn = abs(angle) * .pi / 180
    let part = 1 / (cos(turn) + 1.5 * sin(turn))
    #expect(
      abs(Double(found.width) - 300 * part) <= 1 && abs(Double(found.height) - 200 * part) <= 1)
    #expect(found == .flat([9, 99, 200], found.width, found.height))
  }

  /// A line that falls by 8 % to the right becomes level at −4.574°.
  @Test func aSlopingLineBecomesLevel() throws {
    let photo = Samples(300, 200) { x, y in
      Array(repeating: Double(y) < 100 + 0.08 * Double(x - 150) ? 20 : 220, count: 3)
    }
    let found = try Straighten.applied(to: photo, #""angle": -4.574"#)
    let rows = [20, found.width / 2, found.width - 20].map { x in
      (0..<found.height).first { found[x, $0, 1] > 120 } ?? -1
    }
    #expect((rows.max() ?? 0) - (rows.min() ?? 0) <= 1, "\(rows)")
    try Straighten.expectNoChange(#""angle": 0"#)
  }

  @Test(arguments: ["#204080", "#20408000"]) func keepingAllShowsTheColourInTheCorners(
    _ colour: String
  ) throws {
    let found = try Straighten.applied(
      to: .flat([200, 100, 50], 60, 40),
      #""angle": 20, "keep": "all", "colour": "\#(colour)""#)
    let isClear = colour.count == 9
    let centre = found[found.width / 2, found.height / 2]
    #expect(centre == (isClear ? [200, 100, 50, 255] : [200, 100, 50]))
    for (x, y) in [(0, 0), (found.width - 1, 0), (0, found.height - 1)] {
      if isClear { #expect(found[x, y, 3] == 0) } else { #expect(found[x, y] == [32, 64, 128]) }
    }
  }
}
