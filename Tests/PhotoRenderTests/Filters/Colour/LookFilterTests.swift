import PhotoRecipes
import TestSupport
import Testing

/// Each look is a short chain of other filters.
@Suite struct LookFilterTests {
  @Test(arguments: PointOracle.cases(of: LookFilter.self))
  func theLookFilterMatchesItsFormula(_ test: PointOracle.Case) throws { try test.expectFormula() }

  @Test func aLookEqualsItsChainOfFilters() throws {
    let photo = try Samples.noise(40, 30).file()
    let chain = [
      BlackAndWhite.step(#""red": 0.35, "green": 0.5, "blue": 0.15"#),
      Contrast.step(#""amount": 0.15"#),
    ]
    #expect(
      try Studio.develop(photo, "[\(LookFilter.step(#""name": "mono""#))]")
        == Studio.develop(photo, "[\(chain.joined(separator: ", "))]"))
  }

  @Test func intensityMixesTheLookWithThePhoto() throws {
    let colours = [[0.2, 0.5, 0.7], [0.9, 0.4, 0.1]]
    let full = try LookFilter.applied(toColours: colours, #""name": "process""#)
    let part = try LookFilter.applied(toColours: colours, #""name": "process", "intensity": 0.3"#)
    for ((found, full), colour) in zip(zip(part, full), colours) {
      #expect(found.isNear(zip(colour, full).map { $0 + 0.3 * ($1 - $0) }))
    }
    try LookFilter.expectNoChange(#""name": "noir", "intensity": 0"#)
  }
}
