import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// OKLab chroma is increased; paler colours are increased more.
@Suite struct VibranceTests {
  @Test(arguments: PointOracle.cases(of: Vibrance.self))
  func theVibranceFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  @Test(arguments: [0.7, -1]) func chromaOfPaleColoursIsMultipliedAsTheFormulaStates(
    _ amount: Double
  ) throws {
    try Vibrance.expect(#""amount": \#(amount)"#, PointFormulas.vibrance(amount))
  }

  @Test func theVibranceFilterMatchesColourScience() throws {
    for row in try OracleFile.rows("oklab.txt") where row[0] == Vibrance.name {
      let numbers = row.dropFirst().compactMap { Double($0) }
      let setting = #""amount": \#(numbers[0])"#
      let found = try Vibrance.applied(toColours: [Array(numbers[1...3])], setting)[0]
      let wanted = numbers[4...].map { min(1, max(0, $0)) }
      #expect(found.isNear(wanted, within: 0.0015), "\(row): \(found)")
    }
  }

  /// The chroma of four skin colours increases by less than half as much as that of blues with the
  /// same chroma.
  @Test func skinColoursChangeLessThanBlues() throws {
    let skins = [[0.94, 0.78, 0.7], [0.88, 0.67, 0.57], [0.78, 0.53, 0.4], [0.55, 0.33, 0.24]]
    let skies = skins.map { [$0[2], $0[1], $0[0]] }
    func growth(_ colours: [[Double]]) throws -> [Double] {
      let found = try Vibrance.applied(toColours: colours, #""amount": 0.6"#)
      return zip(found, colours).map { after, before in
        let (a, b) = (PointFormulas.oklab(after), PointFormulas.oklab(before))
        return hypot(a[1], a[2]) / hypot(b[1], b[2]) - 1
      }
    }
    let (onSkin, onSky) = (try growth(skins), try growth(skies))
    for (skin, sky) in zip(onSkin, onSky) {
      #expect(skin >= 0 && skin < sky / 2, "\(skin), \(sky)")
    }
    #expect(onSkin[1] < 0.15, "\(onSkin)")
  }

  /// Colours with a chroma of 0.25 or more do not change, and neither do greys.
  @Test func paleColoursChangeMostAndVividColoursStay() throws {
    let colours = [[0.52, 0.5, 0.49], [0.6, 0.45, 0.4], [1, 0, 0], [0.5, 0.5, 0.5]]
    let found = try Vibrance.applied(toColours: colours, #""amount": -0.8"#)
    func chroma(_ colour: [Double]) -> Double {
      let lab = PointFormulas.oklab(colour)
      return (lab[1] * lab[1] + lab[2] * lab[2]).squareRoot()
    }
    let parts = zip(found, colours).prefix(3).map { chroma($0) / chroma($1) }
    #expect(parts[0] < 0.3 && parts[0] < parts[1] - 0.1 && abs(parts[2] - 1) < 0.001, "\(parts)")
    #expect(found[3].isNear(colours[3]))
    try Vibrance.expectNoChange(#""amount": 0"#)
  }
}
