import PhotoRecipes
import TestSupport
import Testing

/// The filter's formula is `in × 2^stops` in linear light.
@Suite struct ExposureTests {
  @Test(arguments: PointOracle.cases(of: Exposure.self))
  func theExposureFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  @Test(arguments: [0.3, -4, 3]) func linearLightIsMultipliedAsTheFormulaStates(
    _ stops: Double
  ) throws {
    try Exposure.expect(#""stops": \#(stops)"#, PointFormulas.exposure(stops))
  }

  @Test func oneStopDoublesTheLight() throws {
    let greys = [0.1, 0.2, 0.4].map(PointFormulas.display)
    let found = try Exposure.applied(toGreys: greys, #""stops": 1"#)
    #expect(found.map(PointFormulas.light).isNear([0.2, 0.4, 0.8]))
    try Exposure.expectNoChange(#""stops": 0"#)
  }
}
