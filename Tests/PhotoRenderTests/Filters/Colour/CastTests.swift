import PhotoRecipes
import TestSupport
import Testing
import Vips

/// The filter removes a colour cast from nearly grey colours.
@Suite struct CastTests {
  private static let lightness = [0.3, 0.5, 0.65, 0.8]

  /// Greys with a cast of OKLab (a, b), which decreases towards black and white.
  private static func greys(_ a: Double, _ b: Double) -> [[Double]] {
    lightness.map { l in
      let side = (2 * l - 1) * (2 * l - 1)
      return PointFormulas.display(oklab: [l, (1 - side * side) * a, (1 - side * side) * b])
    }
  }

  /// The fraction of the greys' cast that is left after the filter, for each amount; an amount of 1
  /// leaves none.
  @Test(arguments: [(-1, 2), (0.5, 0.5), (1, 0), (2, -1.0)])
  func amountDecidesWhichFractionOfTheCastIsRemoved(_ amount: Double, _ left: Double) throws {
    let found = try Cast.applied(toColours: Self.greys(0.02, 0.03), #""amount": \#(amount)"#)
    for (found, wanted) in zip(found, Self.greys(0.02 * left, 0.03 * left)) {
      #expect(found.isNear(wanted, within: 0.001), "\(found), not \(wanted)")
    }
  }

  /// NaN and infinite samples in a photo of floats are ignored.
  @Test func nonFiniteSamplesAreIgnored() throws {
    var values = [Float](repeating: 0.2, count: 3 * 64 * 64)
    for place in stride(from: 2, to: values.count, by: 3) { values[place] = 0.15 }
    values[1500] = .nan
    values[3000] = .infinity
    let target = Target()
    try Image(samples: values, width: 64, height: 64, bands: 3).save(
      to: target, as: "tiffsave_target")
    let recipe = try Studio.recipe(#"[{"filter": "cast", "amount": 0.5}]"#)
    #expect(try Studio.render(target.bytes(), recipe).files.count == 1)
  }

  @Test func vividColoursBlackAndWhiteStayUnchanged() throws {
    let colours = [[0.8, 0.2, 0.1], [0.1, 0.5, 0.2], [0.2, 0.2, 0.9], [0, 0, 0], [1, 1, 1]]
    let found = try Cast.applied(toColours: colours, #""amount": 1"#)
    for (found, colour) in zip(found, colours) { #expect(found.isNear(colour, within: 0.001)) }
  }

  /// One pixel in a hundred is nearly grey, so only a fifth of its cast is removed.
  @Test func aPhotoWithFewGreysIsCorrectedOnlyPartly() throws {
    let vivid = Array(repeating: [0.8, 0.2, 0.1], count: 99)
    let grey = Self.greys(0.01, 0.01)[1]
    let found = try Cast.applied(toColours: vivid + [grey], #""amount": 1"#)
    let lab = PointFormulas.oklab(found[99])
    #expect(lab.isNear([0.5, 0.008, 0.008], within: 0.0005), "\(lab)")
    try Cast.expectNoChange(#""amount": 0"#)
  }
}
