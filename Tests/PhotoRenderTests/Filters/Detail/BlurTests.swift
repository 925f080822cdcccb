import PhotoRecipes
import TestSupport
import Testing

/// The blurs of a single bright pixel.
@Suite struct BlurTests {
  /// The fraction of the bright pixel's light in each pixel after the blur.
  private static func spread(_ settings: String) throws -> [[Double]] {
    let found = try Blur.applied(to: .dot(41), settings)
    return (0..<41).map { y in (0..<41).map { Double(found[$0, y, 1]) / 65_535 } }
  }

  /// The variance of a Gaussian is the square of its radius, minus a small error because it is cut
  /// off at three radii.
  @Test func aGaussianBlurHasTheGivenStandardDeviation() throws {
    let spread = try Self.spread(#""radius": 2.5"#)
    #expect(abs(spread.joined().reduce(0, +) - 1) < 0.005)
    let columns = (0..<41).map { x in spread.reduce(0) { $0 + $1[x] } }
    let variance = columns.enumerated().reduce(0) { sum, column in
      sum + column.element * Double((column.offset - 20) * (column.offset - 20))
    }
    #expect((5.9...6.3).contains(variance), "\(variance)")
    #expect(spread[20][17] > spread[17][17] && abs(spread[20][17] - spread[17][20]) < 2e-5)
  }

  @Test func aBoxBlurGivesTheMeanOfASquare() throws {
    let spread = try Self.spread(#""kind": "box", "radius": 3"#)
    for y in 0..<41 {
      for x in 0..<41 {
        let wanted = abs(x - 20) <= 3 && abs(y - 20) <= 3 ? 1.0 / 49 : 0
        #expect(abs(spread[y][x] - wanted) < 2e-5, "\(x), \(y)")
      }
    }
  }

  /// A motion blur turns a point into a line with a length of twice the radius.
  ///
  /// The angle is counter-clockwise from the horizontal.
  @Test(arguments: [(0, 1, 0), (90, 0, -1), (45, 1, -1), (-45, 1, 1)])
  func aMotionBlurTurnsAPointIntoALine(_ angle: Int, _ right: Int, _ down: Int) throws {
    let spread = try Self.spread(#""kind": "motion", "radius": 6, "angle": \#(angle)"#)
    #expect(abs(spread.joined().reduce(0, +) - 1) < 0.005)
    let reach = right * down == 0 ? 6 : 4
    for step in -reach...reach { #expect(spread[20 + step * down][20 + step * right] > 0.03) }
    for y in 0..<41 {
      for x in 0..<41 {
        let (dx, dy) = (x - 20, y - 20)
        let isBeside = abs(dx * down - dy * right) > 1
        if isBeside || max(abs(dx), abs(dy)) > 7 { #expect(spread[y][x] == 0, "\(dx), \(dy)") }
      }
    }
  }

  /// A zoom blur turns a point into a line away from the zoom's centre, here the middle of the left
  /// edge.
  ///
  /// For a zoom by a quarter in both directions, the line is from 20.5 ÷ 1.25 to 20.5 ÷ 0.75 pixels
  /// from the left edge.
  @Test func aZoomBlurTurnsAPointIntoALineAwayFromTheCentre() throws {
    let radius = 0.25 * (41.0 * 41 + 20.5 * 20.5).squareRoot()
    let spread = try Self.spread(#""kind": "zoom", "radius": \#(radius), "x": 0"#)
    for x in 17...26 { #expect(spread[20][x] > 0.05, "\(x): \(spread[20][x])") }
    for y in 0..<41 {
      for x in 0..<41 where abs(y - 20) > 1 || !(15...28).contains(x) {
        #expect(spread[y][x] == 0, "\(x), \(y)")
      }
    }
    // The centre of a zoom stays unchanged.
    #expect(try Self.spread(#""kind": "zoom", "radius": 10"#)[20][20] == 1)
  }

  @Test(arguments: ["motion", "zoom"]) func aTooLongMotionOrZoomBlurIsRefused(_ kind: String) throws
  {
    Blur.expectRefusal(of: #""kind": "\#(kind)", "radius": 126"#, "at most 125 pixels")
    try Blur.expectNoChange(#""kind": "box", "radius": 0"#)
  }
}
