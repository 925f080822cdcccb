import PhotoRecipes
import TestSupport
import Testing

/// A logistic S curve; for a negative amount, its inverse.
@Suite struct ContrastTests {
  @Test(arguments: PointOracle.cases(of: Contrast.self))
  func theContrastFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  @Test(arguments: [0.5, 1, -0.6]) func theContrastCurveMatchesTheFormula(_ amount: Double) throws {
    try Contrast.expect(#""amount": \#(amount)"#, PointFormulas.contrast(amount))
  }

  /// The slopes at middle grey are 2 ÷ tanh 2 and tanh 1.25 ÷ 1.25.
  @Test(arguments: [(1, 2.0746), (-1, 0.6786)])
  func theSlopeAtMiddleGreyMatchesTheFormula(_ amount: Int, _ slope: Double) throws {
    let found = try Contrast.applied(
      toGreys: [0, 0.495, 0.5, 0.505, 1], #""amount": \#(amount)"#)
    #expect([found[0], found[2], found[4]].isNear([0, 0.5, 1]), "\(found)")
    #expect(abs((found[3] - found[1]) / 0.01 - slope) < 0.01, "\(found)")
    try Contrast.expectNoChange(#""amount": 0"#)
  }

  /// The middle channel keeps its relative place, so that the hue in HSV stays; this also applies to
  /// the other tone curves for all channels.
  @Test func tonesKeepHues() throws {
    let colours = [[0.3, 0.5, 0.9], [0.8, 0.55, 0.4], [0.1, 0.4, 0.2], [0.9, 0.2, 0.6]]
    let curve = #""rgb": [[0, 0], [0.3, 0.1], [0.7, 0.9], [1, 1]]"#
    let found = try [
      Contrast.applied(toColours: colours, #""amount": 1"#),
      Whites.applied(toColours: colours, #""amount": -1"#),
      Blacks.applied(toColours: colours, #""amount": 1"#),
      Curves.applied(toColours: colours, curve),
    ]
    func place(_ colour: [Double]) -> Double {
      let sorted = colour.sorted()
      return (sorted[1] - sorted[0]) / (sorted[2] - sorted[0])
    }
    for changed in found {
      for (before, after) in zip(colours, changed) {
        #expect(abs(place(before) - place(after)) < 0.01, "\(before) to \(after)")
        #expect(abs(after[0] - before[0]) > 0.001 || abs(after[2] - before[2]) > 0.001)
      }
    }
  }

  @Test func theCurveIsSymmetricAboutMiddleGrey() throws {
    let found = try Contrast.applied(toGreys: [0.1, 0.3, 0.7, 0.9], #""amount": 0.7"#)
    #expect([found[0] + found[3], found[1] + found[2]].isNear([1, 1]))
  }
}
