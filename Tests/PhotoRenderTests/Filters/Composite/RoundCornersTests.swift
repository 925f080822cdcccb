import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// Corners cut off along quarter circles.
@Suite struct RoundCornersTests {
  /// The alpha of the corner pixels is compared with a count of points on a fine grid.
  @Test(arguments: [255, 65_535]) func roundedCornersAreQuarterCircles(_ maximum: Int) throws {
    let photo = Samples.noise(60, 40, maximum: maximum, to: maximum * 3 / 4)
    let result = try RoundCorners.applied(to: photo, #""radius": 12"#)
    #expect(result.bands == 4 && result.maximum == maximum)
    for y in 0..<40 {
      for x in 0..<60 {
        let pixel = result[x, y]
        let (column, row) = (min(x, 59 - x), min(y, 39 - y))
        var inside = 256
        if column < 12 && row < 12 {
          inside = 0
          for step in 0..<256 {
            let dx = 12 - Double(column) - (Double(step % 16) + 0.5) / 16
            let dy = 12 - Double(row) - (Double(step / 16) + 0.5) / 16
            if dx * dx + dy * dy <= 144 { inside += 1 }
          }
        }
        let wanted = Double(inside) / 256
        #expect(abs(Double(pixel[3]) / Double(maximum) - wanted) <= 0.02)
        if pixel[3] > maximum / 8 {
          #expect(zip(pixel, photo[x, y]).allSatisfy { abs($0 - $1) <= maximum / 100 })
        }
        let reach = hypot(Double(12 - column), Double(12 - row))
        let isWhole = column >= 12 || row >= 12 || reach <= 12
        if isWhole { #expect(Array(pixel.prefix(3)) == photo[x, y] && pixel[3] == maximum) }
      }
    }
    #expect(result[0, 0, 3] == 0)
  }

  @Test func cornersAreFilledWithAColour() throws {
    let photo = Samples.noise(60, 40, to: 190)
    let result = try RoundCorners.applied(to: photo, ##""radius": 12, "colour": "#0a141e""##)
    #expect(result.bands == 3)
    #expect(result[0, 0] == [10, 20, 30] && result[59, 39] == [10, 20, 30])
    #expect(result[30, 0] == photo[30, 0] && result[0, 20] == photo[0, 20])
  }

  @Test func aRadiusOfZeroDoesNotChangeThePhoto() throws {
    try RoundCorners.expectNoChange(#""radius": 0"#)
  }
}
