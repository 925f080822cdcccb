import PhotoRecipes
import TestSupport
import Testing

/// Slope, offset, power and saturation.
@Suite struct CDLTests {
  @Test(arguments: PointOracle.cases(of: CDL.self))
  func followsItsFormula(_ test: PointOracle.Case) throws { try test.expectFormula() }

  @Test func eachNumberActsOnItsChannel() throws {
    let colour = [[0.2, 0.4, 0.6]]
    func shown(_ settings: String) throws -> [Double] {
      try CDL.applied(toColours: colour, settings)[0]
    }
    #expect(try shown(#""slopeRed": 2"#).isNear([0.4, 0.4, 0.6]))
    #expect(try shown(#""offsetGreen": -0.1"#).isNear([0.2, 0.3, 0.6]))
    #expect(try shown(#""powerBlue": 2"#).isNear([0.2, 0.4, 0.36]))
    let luma = 0.2126 * 0.2 + 0.7152 * 0.4 + 0.0722 * 0.6
    #expect(try shown(#""saturation": 0"#).isNear([luma, luma, luma]))
  }

  /// A slope of 2 in linear light is a stop.
  @Test func theSpaceIsThatOfTheDecision() throws {
    let greys = [0.1, 0.3, 0.5]
    let found = try CDL.applied(
      toGreys: greys, #""slopeRed": 2, "slopeGreen": 2, "slopeBlue": 2, "space": "linear""#)
    #expect(found.map(PointFormulas.light).isNear(greys.map { 2 * PointFormulas.light($0) }))
    // An offset in ACEScct is a factor of light: 17.52 stops are the distance of 1.
    let stop = 1 / 17.52
    let settings = ["Red", "Green", "Blue"].map { #""offset\#($0)": \#(stop)"# }
    let logarithmic = try CDL.applied(
      toGreys: greys, settings.joined(separator: ", ") + #", "space": "acescct""#)
    #expect(logarithmic.map(PointFormulas.light).isNear(greys.map { 2 * PointFormulas.light($0) }))
    try CDL.expectNoChange(#""space": "logC3""#)
  }
}
