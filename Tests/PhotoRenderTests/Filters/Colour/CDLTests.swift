import PhotoRecipes
import TestSupport
import Testing

/// The filter changes colours by slope, offset, power and saturation, as a colour decision list
/// (ASC CDL) does.
@Suite struct CDLTests {
  @Test(arguments: PointOracle.cases(of: CDL.self))
  func theCDLFilterMatchesItsFormula(_ test: PointOracle.Case) throws { try test.expectFormula() }

  @Test func slopeOffsetAndPowerChangeOnlyTheirOwnChannel() throws {
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

  /// Slope, offset and power are applied in the colour space that the step states: in linear light,
  /// a slope of 2 is one stop.
  @Test func slopeAndOffsetAreAppliedInTheStatedColourSpace() throws {
    let greys = [0.1, 0.3, 0.5]
    let found = try CDL.applied(
      toGreys: greys, #""slopeRed": 2, "slopeGreen": 2, "slopeBlue": 2, "space": "linear""#)
    #expect(found.map(PointFormulas.light).isNear(greys.map { 2 * PointFormulas.light($0) }))
    // ACEScct is logarithmic: an offset of 1/17.52 is one stop.
    let stop = 1 / 17.52
    let settings = ["Red", "Green", "Blue"].map { #""offset\#($0)": \#(stop)"# }
    let logarithmic = try CDL.applied(
      toGreys: greys, settings.joined(separator: ", ") + #", "space": "acescct""#)
    #expect(logarithmic.map(PointFormulas.light).isNear(greys.map { 2 * PointFormulas.light($0) }))
    try CDL.expectNoChange(#""space": "logC3""#)
  }
}
