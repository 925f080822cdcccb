import PhotoRecipes
import TestSupport
import Testing

/// Points of the photo are moved to the positions that the settings state.
@Suite struct PerspectiveTests {
  /// A picture in which each pixel's value is its position.
  private static let places = Samples(400, 300, maximum: 65_535) { x, y in
    [Int((Double(x) + 0.5) / 400 * 65_535), Int((Double(y) + 0.5) / 300 * 65_535), 0]
  }

  private static func place(_ pixel: [Int]) -> (x: Double, y: Double) {
    (Double(pixel[0]) / 65_535, Double(pixel[1]) / 65_535)
  }

  @Test func theFourGivenPointsBecomeTheCorners() throws {
    let corners = [(0.1, 0.2), (0.85, 0.05), (0.95, 0.9), (0.05, 0.8)]
    let text = corners.map { "[\($0.0), \($0.1)]" }.joined(separator: ",")
    let found = try Perspective.applied(to: Self.places, #""corners": [\#(text)]"#)
    let (right, bottom) = (found.width - 1, found.height - 1)
    for ((x, y), corner) in zip([(0, 0), (right, 0), (right, bottom), (0, bottom)], corners) {
      let place = Self.place(found[x, y])
      #expect(abs(place.x - corner.0) * 400 <= 1 && abs(place.y - corner.1) * 300 <= 1)
    }
  }

  /// With a positive pitch, the result shows less of the photo's upper edge than of its lower edge,
  /// because the upper part is enlarged.
  @Test func aPitchEnlargesOneSideAndKeepsTheCentre() throws {
    let found = try Perspective.applied(to: Self.places, #""pitch": 12"#)
    func width(_ y: Int) -> Double {
      Self.place(found[found.width - 1, y]).x - Self.place(found[0, y]).x
    }
    #expect(width(0) < width(found.height - 1) - 0.05)
    let turned = try Perspective.applied(to: Self.places, #""yaw": 12, "keep": "all""#)
    func height(_ x: Int) -> Int { (0..<turned.height).count { turned[x, $0, 2] == 0 } }
    #expect(height(5) > height(turned.width - 6) + 10)
    try Perspective.expectNoChange(#""pitch": 0, "yaw": 0"#)
  }

  @Test func invalidQuadrilateralsAreRefused() {
    Perspective.expectRefusal(
      of: #""corners": [[0, 0], [1, 1], [1, 0], [0, 1]]"#, "a convex shape")
    Perspective.expectRefusal(
      of: #""corners": [[0, 0], [1, 0], [1, 1], [0, 1]], "yaw": 3"#, "both 'corners' and angles")
    Perspective.expectRefusal(of: #""aspect": "1:1""#, "needs 'corners'")
  }
}
