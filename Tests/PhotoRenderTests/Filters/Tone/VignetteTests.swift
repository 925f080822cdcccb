import PhotoRecipes
import TestSupport
import Testing

/// A gain in linear light that darkens or brightens the photo increasingly from the centre to the
/// corners.
@Suite struct VignetteTests {
  @Test(arguments: PointOracle.cases(of: Vignette.self))
  func theVignetteFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  @Test(arguments: [(-0.8, 0.5, 0.7), (1, 0.8, 0.2)])
  func darkenedAndBrightenedCornersMatchTheFormula(
    _ intensity: Double, _ radius: Double, _ falloff: Double
  ) throws {
    try Vignette.expect(
      #""intensity": \#(intensity), "radius": \#(radius), "falloff": \#(falloff)"#,
      PointFormulas.vignette(intensity, radius: radius, falloff: falloff))
  }

  /// By default the darkening begins at 0.15 of the distance from the centre to a corner, and is
  /// complete at 0.85.
  @Test func theCentreStaysAndTheCornersGetTheFullEffect() throws {
    let photo = Samples.flat([100, 150, 200], 201, 101)
    let found = try Vignette.applied(to: photo, #""intensity": -1"#)
    #expect(found[100, 50] == [100, 150, 200] && found[110, 50] == [100, 150, 200])
    for (x, y) in [(0, 0), (200, 0), (0, 100), (200, 100)] { #expect(found[x, y] == [0, 0, 0]) }
    #expect(found[40, 50] == found[160, 50] && found[40, 20] == found[160, 80])
    try Vignette.expectNoChange(#""intensity": 0"#)
  }

  @Test func aFalloffOfZeroMakesAHardEdge() throws {
    let photo = Samples.flat([90, 90, 90], 201, 101)
    let found = try Vignette.applied(to: photo, #""intensity": -1, "radius": 0.5, "falloff": 0"#)
    #expect(found[160, 50] == [90, 90, 90] && found[180, 50] == [0, 0, 0])
  }
}
