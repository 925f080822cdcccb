import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// Steps whose result is composited with the photo by Porter and Duff's operators.
@Suite struct CompositionTests {
  /// The factors by which a composition multiplies the step's result and the photo, as a function
  /// of the alphas of both.
  typealias Parts = @Sendable (_ result: Double, _ photo: Double) -> (Double, Double)

  struct Case: CustomTestStringConvertible, Sendable {
    let mode: BlendMode
    let parts: Parts

    init(_ mode: BlendMode, _ parts: @escaping Parts) { (self.mode, self.parts) = (mode, parts) }

    var testDescription: String { mode.rawValue }

    /// The composited colour, unpremultiplied, and its alpha; the colour is nil if the alpha is 0.
    func colour(_ result: [Double], _ photo: [Double]) -> (colour: [Double]?, alpha: Double) {
      let (f, g) = parts(result[3], photo[3])
      let alpha = result[3] * f + photo[3] * g
      if alpha == 0 { return (nil, 0) }
      let colour = (0..<3).map {
        (result[$0] * result[3] * f + photo[$0] * photo[3] * g) / alpha
      }
      return (colour, alpha)
    }
  }

  static let cases: [Case] = [
    Case(.clear) { _, _ in (0, 0) }, Case(.source) { _, _ in (1, 0) },
    Case(.over) { s, _ in (1, 1 - s) }, Case(.inside) { _, b in (b, 0) },
    Case(.out) { _, b in (1 - b, 0) }, Case(.atop) { s, b in (b, 1 - s) },
    Case(.dest) { _, _ in (0, 1) }, Case(.destOver) { _, b in (1 - b, 1) },
    Case(.destIn) { s, _ in (0, s) }, Case(.destOut) { s, _ in (0, 1 - s) },
    Case(.destAtop) { s, b in (1 - b, s) }, Case(.xor) { s, b in (1 - b, 1 - s) },
    Case(.saturate) { s, b in (s > 0 ? min(1, (1 - b) / s) : 1, 1) },
  ]

  private static let mask = #"{"linear": {"from": [0.1, 0], "to": [0.9, 0.5]}}"#
  private static let cover = MaskFormulas.linear((0.1, 0), (0.9, 0.5))

  @Test func everyCompositionModeHasAFormulaInThisTest() {
    #expect(Self.cases.map(\.mode) == BlendMode.allCases.filter(\.isComposition))
  }

  @Test(arguments: cases, [(3, 255), (4, 255), (3, 65_535), (4, 65_535)])
  func coloursAndAlphaFollowTheCompositionMode(
    _ test: Case, _ samples: (bands: Int, maximum: Int)
  ) throws {
    let full = Double(samples.maximum)
    let photo = Samples.noise(60, 41, bands: samples.bands, maximum: samples.maximum)
    let result = try MaskTests.develop(
      photo,
      """
      [{"filter": "invert", "opacity": 0.9, "blend": "\(test.mode.rawValue)", "mask": \(Self.mask)}]
      """)
    var (worst, worstAlpha) = (0.0, 0.0)
    for y in 0..<41 {
      for x in 0..<60 {
        var below = photo[x, y].map { Double($0) / full }
        if samples.bands == 3 { below.append(1) }
        let place = ((Double(x) + 0.5) / 60, (Double(y) + 0.5) / 41)
        let cover = 0.9 * Self.cover(below, place, (60, 41))
        let above = below.prefix(3).map { 1 - $0 } + [below[3] * cover]
        let (colour, alpha) = test.colour(above, below)
        var found = result[x, y].map { Double($0) / full }
        if found.count == 3 { found.append(1) }
        worstAlpha = max(worstAlpha, abs(found[3] - alpha) * full)
        // A nearly transparent pixel may be rounded to transparent.
        guard let colour, alpha > 0.004 else { continue }
        for (found, wanted) in zip(found, colour) {
          worst = max(worst, abs(found - wanted) * full)
        }
      }
    }
    let bound = samples.maximum == 255 ? 0.51 : 2
    #expect(worst <= bound && worstAlpha <= bound, "off by \(worst), alpha by \(worstAlpha)")
  }

  /// An opaque photo gets alpha only if the composition can make part of it transparent.
  @Test(arguments: cases)
  func anOpaquePhotoGetsAlphaOnlyIfTheCompositionNeedsIt(_ test: Case) throws {
    let photo = Samples.noise(20, 15)
    func bands(_ more: String) throws -> Int {
      try MaskTests.develop(
        photo, #"[{"filter": "invert", "blend": "\#(test.mode.rawValue)"\#(more)}]"#
      ).bands
    }
    let all = test.parts(1, 1)
    let part = test.parts(0.5, 1)
    #expect(try bands("") == (all.0 + all.1 == 1 ? 3 : 4))
    #expect(try bands(#", "opacity": 0.5"#) == (part.0 * 0.5 + part.1 == 1 ? 3 : 4))
    #expect(
      try bands(#", "mask": {"radial": {"radius": 0.5}}"#)
        == (part.0 * 0.5 + part.1 == 1 ? 3 : 4))
  }

  /// The composition also applies to filters that read neighbouring pixels; the result of such a
  /// filter is read as a layer.
  @Test func destInAndDestOutCutTheMaskedPartOutOfThePhoto() throws {
    let photo = Samples.noise(40, 30)
    for filter in [#""invert""#, #""blur", "radius": 0"#, #""blur", "radius": 3"#] {
      let half = #""mask": {"polygon": {"points": [[0, -1], [0.5, -1], [0.5, 2], [0, 2]]}}"#
      let kept = try MaskTests.develop(
        photo, #"[{"filter": \#(filter), "blend": "dest-in", \#(half)}]"#)
      let removed = try MaskTests.develop(
        photo, #"[{"filter": \#(filter), "blend": "dest-out", \#(half)}]"#)
      for y in 0..<30 {
        for x in 0..<40 {
          #expect(kept[x, y, 3] == (x < 20 ? 255 : 0), "\(filter) \(x)")
          #expect(removed[x, y, 3] == (x < 20 ? 0 : 255), "\(filter) \(x)")
          let opaque = x < 20 ? kept[x, y] : removed[x, y]
          #expect(zip(opaque, photo[x, y]).allSatisfy { abs($0 - $1) <= 1 })
        }
      }
    }
  }

  /// A step with an opacity of 0 leaves the whole photo or nothing, depending on its composition.
  @Test(arguments: cases) func anOpacityOfZeroLeavesThePhotoOrNothing(_ test: Case) throws {
    let photo = Samples.noise(12, 9, maximum: 65_535)
    let step = #"{"filter": "sepia", "blend": "\#(test.mode.rawValue)""#
    let none = try MaskTests.develop(photo, #"[\#(step), "opacity": 0}]"#)
    if test.parts(0, 1).1 == 1 {
      #expect(none == photo)
    } else {
      #expect((0..<9).allSatisfy { y in (0..<12).allSatisfy { none[$0, y, 3] == 0 } })
    }
    #expect(try MaskTests.develop(photo, #"[\#(step), "opacity": 0, "enabled": false}]"#) == photo)
  }
}
