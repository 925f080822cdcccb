import PhotoRecipes
import TestSupport
import Testing

/// Rectangles that are made unrecognisable.
@Suite struct CensorTests {
  /// The rectangle from (10, 9) to (30, 18).
  private static let rectangle = #""left": 0.25, "top": 0.25, "width": 0.5, "height": 0.25"#
  private static let photo = Samples.noise(40, 36)

  private static func isInside(_ x: Int, _ y: Int) -> Bool {
    (10..<30).contains(x) && (9..<18).contains(y)
  }

  @Test func aFilledAreaHasOneColour() throws {
    let found = try Censor.applied(
      to: Self.photo, ##"\##(Self.rectangle), "method": "fill", "colour": "#102030""##)
    let wanted = Samples(40, 36) { x, y in Self.isInside(x, y) ? [16, 32, 48] : Self.photo[x, y] }
    #expect(found == wanted)
  }

  /// The covered rectangle depends only on pixels inside the rectangle.
  @Test(arguments: ["pixelate", "blur"]) func pixelsOutsideTheRectangleDoNotInfluenceTheCover(
    _ method: String
  ) throws {
    let settings = Self.rectangle + #", "method": "\#(method)", "size": 4"#
    let found = try Censor.applied(to: Self.photo, settings)
    let around = try Censor.applied(
      to: Samples(40, 36) { x, y in Self.isInside(x, y) ? Self.photo[x, y] : [0, 0, 0] }, settings)
    for y in 0..<36 {
      for x in 0..<40 {
        if Self.isInside(x, y) {
          #expect(found[x, y] == around[x, y])
        } else {
          #expect(found[x, y] == Self.photo[x, y])
        }
      }
    }
    #expect(found.part(10, 9, 20, 9).deviation < 0.4 * Self.photo.part(10, 9, 20, 9).deviation)
  }

  @Test func severalAreasAreCoveredAndInvalidSettingsAreRefused() throws {
    let areas = #""areas": [[0, 0, 0.1, 1], [0.9, 0, 0.1, 1]], "method": "fill""#
    let found = try Censor.applied(to: .flat([9, 9, 9], 20, 4), areas)
    #expect((0..<20).map { found[$0, 2, 0] } == [0, 0] + Array(repeating: 9, count: 16) + [0, 0])
    Censor.expectRefusal(of: areas + #", "left": 0.1"#, "both 'areas' and the settings")
    try Censor.expectNoChange(#""width": 0"#)
  }
}
