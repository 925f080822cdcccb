import Foundation
import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoRender

/// Monotone cubic curves through points.
@Suite struct CurvesTests {
  @Test(arguments: PointOracle.cases(of: Curves.self))
  func theCurvesFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  @Test func curvesRunThroughTheirPoints() throws {
    let points = #"[[0, 0.1], [0.3, 0.5], [0.6, 0.45], [1, 0.9]]"#
    let found = try Curves.applied(toGreys: [0, 0.3, 0.6, 1], #""rgb": \#(points)"#)
    #expect(found.isNear([0.1, 0.5, 0.45, 0.9]), "\(found)")
  }

  /// The curve also applies to values above white from an earlier step, and brings them back into
  /// the range 0…1.
  @Test(arguments: ["exact", "balanced"]) func theCurveBringsLightAboveWhiteBackIntoRange(
    _ rendering: String
  ) throws {
    let levels = [20_000, 40_000, 60_000]
    let photo = Samples(
      width: 3, height: 1, bands: 3, maximum: 65_535, values: levels.flatMap { [$0, $0, $0] })
    let found = try MaskTests.develop(
      photo,
      #"[{"filter": "exposure", "stops": 1}, {"filter": "curves", "rgb": [[0, 0], [2, 1]]}]"#,
      rendering: rendering)
    for (x, level) in levels.enumerated() {
      let light = 2 * PointFormulas.light(Double(level) / 65_535)
      #expect(abs(Double(found[x, 0, 0]) / 65_535 - PointFormulas.display(light) / 2) < 0.0001)
    }
    let bent = try MaskTests.develop(
      photo,
      #"[{"filter": "exposure", "stops": 1}, {"filter": "curves", "rgb": [[0, 0], [0.5, 0.5], [1, 0.8], [1.3, 0.9], [2, 1]]}]"#,
      rendering: rendering)
    #expect(bent[1, 0, 0] < bent[2, 0, 0] && bent[2, 0, 0] < 65_535)
  }

  /// The RGB curve is applied before the red curve: 0.5 becomes 0.8, and 0.8 becomes 0.4.
  @Test func theCurveOfAChannelChangesOnlyThatChannel() throws {
    let settings = #""rgb": [[0, 0], [0.5, 0.8], [1, 1]], "red": [[0, 0], [0.8, 0.4], [1, 1]]"#
    let found = try Curves.applied(toColours: [[0.5, 0.5, 0.5]], settings)[0]
    #expect(found.isNear([0.4, 0.8, 0.8]), "\(found)")
  }

  /// The lightness curve multiplies OKLab's a and b by the gain in lightness, but at most by 4; the
  /// result is exact at the lightness at which the gain reaches 4.
  ///
  /// The arguments are a lightness curve, and the lightness at which its gain falls below 4.
  @Test(
    arguments: [
      (#"[[0, 0], [0.05, 0.4], [0.6, 0.4], [1, 1]]"#, 0.099_996),
      (#"[[0, 0.3], [1, 1]]"#, 0.3 / 3.3), (#"[[0, 0.1], [1, 1]]"#, 0.1 / 3.1),
    ])
  func coloursAreExactWhereTheGainReachesItsLimit(_ points: String, _ place: Double) throws {
    let graph = try Studio.recipe(#"[{"filter": "curves", "lightness": \#(points)}]"#).graph.fused
    let whole = try #require(
      graph.nodes.compactMap { node -> PointProgram? in
        if case .program(let program) = node.operation { program } else { nil }
      }.first)
    // The test omits the compression that keeps vivid colours in sRGB.
    let program = PointProgram(whole.instructions.filter { $0 != .save && $0 != .hold })
    for corner in [[0.0, 0, 1], [0.1, 0, 1], [0, 0.05, 0.6], [1, 0, 0], [1, 0, 1], [0, 1, 0]] {
      let lab = PointFormulas.oklab(corner)
      for step in -400...400 {
        let lightness = place + Double(step) / 400 / 4096
        let scale = lightness / lab[0]
        let found = try #require(
          program(.init(PointFormulas.display(oklab: lab.map { $0 * scale }))))
        let after = PointFormulas.oklab([found.x, found.y, found.z])
        let gain = hypot(after[1], after[2]) / (scale * hypot(lab[1], lab[2]))
        // For chroma below 0.1, this tolerance is one level of 65,535.
        try #require(abs(gain - min(4, after[0] / lightness)) < 1e-4, "\(corner), \(step)")
      }
    }
  }

  @Test func lightnessKeepsHueAndSaturation() throws {
    let colour = [0.45, 0.4, 0.38]
    let settings = #""lightness": [[0, 0], [0.5, 0.6], [1, 1]]"#
    let found = try Curves.applied(toColours: [colour], settings)[0]
    let (a, b) = (PointFormulas.oklab(colour), PointFormulas.oklab(found))
    #expect(b[0] > a[0] + 0.05)
    #expect([b[1] / b[0], b[2] / b[0]].isNear([a[1] / a[0], a[2] / a[0]], within: 0.002))
    // Vivid colours keep their hue and stay in sRGB.
    for colour in [[0.4, 0.6, 0.95], [0.9, 0.3, 0.05], [0.2, 0.2, 0.9]] {
      let found = try Curves.applied(
        toColours: [colour], #""lightness": [[0, 0], [0.5, 0.75], [1, 1]]"#)[0]
      let (a, b) = (PointFormulas.oklab(colour), PointFormulas.oklab(found))
      let turn = abs(atan2(a[1], a[2]) - atan2(b[1], b[2]))
      #expect(turn < 0.01 && b[0] > a[0] && (found.max() ?? 1) < 0.9999, "\(found)")
    }
    try Curves.expectNoChange(#""lightness": [[0, 0], [1, 1]], "blue": [[0, 0], [1, 1]]"#)
  }
}
