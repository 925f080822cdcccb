import Foundation
import Notation
import TestRandom
import Testing

@Suite struct FixedPointTests {
  @Test(arguments: [
    (1.25, 1, "1.3"), (-1.25, 1, "-1.3"), (0.04, 1, "0.0"), (-0.04, 1, "0.0"), (12, 0, "12"),
    (0.000_5, 4, "0.0005"), (59.9999, 4, "59.9999"), (999.96, 1, "1000.0"), (1e300, 2, "1e+300"),
    (.infinity, 2, "inf"), (.nan, 2, "nan"),
  ])
  func theRequestedNumberOfDecimalsIsWritten(_ number: Double, _ decimals: Int, _ text: String) {
    #expect(number.fixed(decimals) == text)
  }

  /// Compares with the C library, which rounds the exact value.
  ///
  /// The random numbers contain no ties, which could be rounded in two ways.
  @Test func fixedPointTextEqualsThatOfTheCLibrary() {
    var random = SeededGenerator(seed: 17)
    for _ in 0..<2000 {
      let number = Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &random)) / 7919
      let decimals = Int.random(in: 0...6, using: &random)
      let expected = String(format: "%.\(decimals)f", number)
      #expect(
        number.fixed(decimals)
          == (Double(expected) == 0 ? expected.replacing("-", with: "") : expected))
    }
  }
}
