import PhotoRecipes
import Testing

/// The distance of the base B from white is multiplied by `1 + k B⁴`.
@Suite struct HighlightsTests {
  /// In a flat photo, the base equals the photo.
  @Test(arguments: [(-1, 2), (-0.5, 1), (0.5, -0.4), (1, -0.8)])
  func tonesFollowTheFormula(_ amount: Double, _ k: Double) throws {
    for grey in [0, 0.1, 0.5, 0.8, 0.95, 1] {
      let wanted = 1 - (1 + k * grey * grey * grey * grey) * (1 - grey)
      let found = try Highlights.applied(toFlat: grey, #""amount": \#(amount)"#)
      #expect(abs(found - wanted) < 0.0005, "\(grey): \(found), not \(wanted)")
    }
  }

  /// Dark pixels beside a bright half stay visually the same as without the bright half.
  @Test func darkPartsStay() throws {
    let photo = Samples.edge(0.1, 0.9, 240, 120)
    let found = try Highlights.applied(to: photo, #""amount": -1"#)
    #expect(abs(found[60, 60][1] - photo[60, 60][1]) < 130)
    #expect(photo[180, 60][1] - found[180, 60][1] > 6_000)
    try Highlights.expectNoChange(#""amount": 0"#)
  }
}
