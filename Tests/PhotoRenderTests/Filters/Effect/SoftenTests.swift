import PhotoRecipes
import TestSupport
import Testing

/// The Orton effect, a soft glow: an overexposed photo combined with a blurred copy of itself.
@Suite struct SoftenTests {
  /// A flat photo, which a blur does not change, follows the formula without the blur.
  @Test(arguments: [0.1, 0.5, 0.9]) func aFlatPhotoMatchesTheFormula(_ grey: Double) throws {
    let slide = 1 - (1 - grey) * (1 - grey)
    for amount in [0.4, 1] {
      let wanted = grey + amount * (slide * slide - grey)
      let found = try Soften.applied(toFlat: grey, #""amount": \#(amount), "radius": 3"#)
      #expect(abs(found - wanted) < 0.0005, "\(found), not \(wanted)")
    }
  }

  /// A bright line stays sharp, and gets a glow beside it.
  @Test func aBrightLineStaysSharpAndGetsAGlow() throws {
    let photo = Samples(81, 31) { x, _ in Array(repeating: x == 40 ? 255 : 64, count: 3) }
    let found = try Soften.applied(to: photo, #""amount": 1, "radius": 4"#)
    #expect(found[40, 15, 1] > 2 * found[38, 15, 1])
    #expect(found[38, 15, 1] > found[60, 15, 1])
    try Soften.expectNoChange(#""amount": 0"#)
  }
}
