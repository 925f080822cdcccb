import PhotoRecipes
import TestSupport
import Testing

/// The filter's formula is `1 − in`.
@Suite struct InvertTests {
  @Test(arguments: PointOracle.cases(of: Invert.self))
  func theInvertFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  @Test func everyLevelIsInverted() throws {
    for maximum in [255, 65_535] {
      let photo = Samples.noise(40, 30, maximum: maximum)
      let found = try Invert.applied(to: photo)
      #expect(found.values == photo.values.map { maximum - $0 })
    }
  }

  @Test func alphaStaysUnchanged() throws {
    let found = try Invert.applied(to: .flat([10, 200, 90, 128], 8, 8))
    #expect(found[4, 4] == [245, 55, 165, 128])
  }
}
