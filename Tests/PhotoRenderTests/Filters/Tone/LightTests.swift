import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// The filter multiplies the OKLab values L, a and b by `1 + 0.9 × amount × (1 − L)³`.
@Suite struct LightTests {
  @Test(arguments: PointOracle.cases(of: Light.self))
  func theLightFilterMatchesItsFormula(_ test: PointOracle.Case) throws { try test.expectFormula() }

  /// The OKLab lightness L of a grey is the cube root of its linear light.
  @Test(arguments: [1, -1]) func greysMatchTheFormula(_ amount: Double) throws {
    let lightness = [0.1, 0.3, 0.5, 0.8, 1]
    let greys = lightness.map { PointFormulas.display($0 * $0 * $0) }
    let found = try Light.applied(toGreys: greys, #""amount": \#(amount)"#)
    let wanted = lightness.map { l in
      PointFormulas.display(pow(l * (1 + 0.9 * amount * (1 - l) * (1 - l) * (1 - l)), 3))
    }
    #expect(found.isNear(wanted, within: 0.0003), "\(found), not \(wanted)")
  }

  @Test func theChannelsOfAColourKeepTheirRatios() throws {
    let colour = [0.3, 0.2, 0.1]
    let found = try Light.applied(toColours: [colour], #""amount": 0.7"#)[0]
    // The change equals a change of exposure: each channel's linear light is multiplied by the same
    // factor.
    let gains = zip(found, colour).map { PointFormulas.light($0) / PointFormulas.light($1) }
    #expect(gains[0] > 1.5 && gains.isNear(Array(repeating: gains[0], count: 3), within: 0.02))
    try Light.expectNoChange(#""amount": 0"#)
  }
}
