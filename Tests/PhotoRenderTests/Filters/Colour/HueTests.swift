import PhotoRecipes
import TestSupport
import Testing

/// A rotation in OKLab's (a, b) plane.
@Suite struct HueTests {
  @Test(arguments: PointOracle.cases(of: Hue.self))
  func theHueFilterMatchesItsFormula(_ test: PointOracle.Case) throws { try test.expectFormula() }

  @Test(arguments: [90.0, -33]) func huesAreRotatedInOKLab(_ angle: Double) throws {
    try Hue.expect(#""angle": \#(angle)"#, PointFormulas.hue(angle))
  }

  @Test func theHueFilterMatchesColourScience() throws {
    for row in try OracleFile.rows("oklab.txt") where row[0] == Hue.name {
      let numbers = row.dropFirst().compactMap { Double($0) }
      let setting = #""angle": \#(numbers[0])"#
      let found = try Hue.applied(toColours: [Array(numbers[1...3])], setting)[0]
      let wanted = numbers[4...].map { min(1, max(0, $0)) }
      #expect(found.isNear(wanted, within: 0.0015), "\(row): \(found)")
    }
  }

  /// A rotation by 180° negates OKLab's a and b; greys have no hue and stay unchanged.
  @Test func aRotationBy180DegreesGivesTheOppositeHue() throws {
    let colours = [[0.55, 0.45, 0.4], [0.4, 0.5, 0.55], [0.5, 0.5, 0.5]]
    let found = try Hue.applied(toColours: colours, #""angle": 180"#)
    for (found, colour) in zip(found, colours) {
      let (a, b) = (PointFormulas.oklab(colour), PointFormulas.oklab(found))
      #expect(b.isNear([a[0], -a[1], -a[2]], within: 0.0005))
    }
    try Hue.expectNoChange(#""angle": 0"#)
  }
}
