import PhotoRecipes
import TestSupport
import Testing

/// The filter multiplies OKLab chroma by 1 + amount.
@Suite struct SaturationTests {
  @Test(arguments: PointOracle.cases(of: Saturation.self))
  func theSaturationFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  @Test(arguments: [1, -1, -0.35]) func chromaIsMultipliedAsTheFormulaStates(
    _ amount: Double
  ) throws {
    try Saturation.expect(#""amount": \#(amount)"#, PointFormulas.saturation(amount))
  }

  @Test func theSaturationFilterMatchesColourScience() throws {
    for row in try OracleFile.rows("oklab.txt") where row[0] == Saturation.name {
      let numbers = row.dropFirst().compactMap { Double($0) }
      let setting = #""amount": \#(numbers[0])"#
      let found = try Saturation.applied(toColours: [Array(numbers[1...3])], setting)[0]
      let wanted = numbers[4...].map { min(1, max(0, $0)) }
      #expect(found.isNear(wanted, within: 0.0015), "\(row): \(found)")
    }
  }

  @Test func anAmountOfMinusOneGivesGreyOfTheSameLightness() throws {
    let colour = [0.7, 0.3, 0.2]
    let found = try Saturation.applied(toColours: [colour], #""amount": -1"#)[0]
    let l = PointFormulas.oklab(colour)[0]
    #expect(found.isNear(Array(repeating: PointFormulas.display(l * l * l), count: 3)))
  }

  /// The purest colours of sRGB cannot become purer.
  @Test func thePurestColoursOfSRGBStayUnchanged() throws {
    let pure = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0.5, 0.5, 0.5]]
    let found = try Saturation.applied(toColours: pure, #""amount": 1"#)
    for (found, pure) in zip(found, pure) { #expect(found.isNear(pure, within: 0.002)) }
    try Saturation.expectNoChange(#""amount": 0"#)
  }
}
