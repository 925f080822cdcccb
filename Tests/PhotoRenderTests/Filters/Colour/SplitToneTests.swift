import PhotoRecipes
import TestSupport
import Testing

/// One colour for shadows and one for highlights.
@Suite struct SplitToneTests {
  @Test(arguments: PointOracle.cases(of: SplitTone.self))
  func theSplitToneFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  /// The OKLab colours of dark grey, bright grey, black and white after the filter.
  private static func toned(_ settings: String) throws -> [[Double]] {
    let greys = [0.25, 0.85, 0, 1].map { [$0, $0, $0] }
    return try SplitTone.applied(toColours: greys, settings).map(PointFormulas.oklab)
  }

  @Test func shadowsAndHighlightsGetSeparateColours() throws {
    let found = try Self.toned(
      #""shadowsHue": 240, "shadowsSaturation": 0.5, "highlightsHue": 60, "highlightsSaturation": 0.5"#
    )
    // Blue is negative b, yellow positive.
    #expect(found[0][2] < -0.02 && found[1][2] > 0.02, "\(found)")
    for (lab, grey) in zip(found, [0.25, 0.85, 0, 1]) {
      #expect(abs(lab[0] - PointFormulas.oklab([grey, grey, grey])[0]) < 0.001)
    }
    #expect(found[2].isNear([0, 0, 0]) && found[3].isNear([1, 0, 0]))
  }

  @Test func balanceWidensTheRangeOfTheHighlights() throws {
    let tones = #""highlightsHue": 60, "highlightsSaturation": 1, "balance": "#
    let found = try [-1, 0, 1].map { try Self.toned(tones + "\($0)")[0][2] }
    #expect(found[0] < found[1] && found[1] < found[2], "\(found)")
    try SplitTone.expectNoChange(#""shadowsHue": 40, "balance": 1"#)
  }
}
