import Foundation
import TestSupport
import Testing

/// Masks of all kinds are blurred by their feather.
@Suite struct FeatheredMaskTests {
  private typealias Case = MaskTests.Case

  private static let disc = MaskFormulas.radial((0.4, 0.6), 0.3, 0.3, feather: 0)
  private static let discText =
    #"{"radial": {"center": [0.4, 0.6], "radius": 0.3, "feather": 0}}"#
  private static let slope = MaskFormulas.linear((0.2, 0.1), (0.9, 0.6))
  private static let slopeText = #"{"linear": {"from": [0.2, 0.1], "to": [0.9, 0.6]}}"#
  private static let corner = MaskFormulas.polygon([(0, 0), (0.5, 0), (0, 0.7)], feather: 0)
  private static let cornerText = #"{"polygon": {"points": [[0, 0], [0.5, 0], [0, 0.7]]}}"#

  static let cases: [MaskTests.Case] = [
    Case(slopeText, slope), Case(discText, disc),
    Case(
      #"{"add": [\#(discText), \#(cornerText)]}"#,
      MaskFormulas.combined(disc, corner) { $0 + $1 - $0 * $1 }),
    Case(
      #"{"subtract": [\#(slopeText), \#(discText)]}"#,
      MaskFormulas.combined(slope, disc) { $0 * (1 - $1) }),
    Case(
      #"{"intersect": [{"add": [\#(discText), \#(cornerText)], "invert": true}, \#(slopeText)]}"#,
      MaskFormulas.combined(
        MaskFormulas.inverted(MaskFormulas.combined(disc, corner) { $0 + $1 - $0 * $1 }), slope
      ) { $0 * $1 }),
  ]

  /// A polygon with a wide feather has no creases at its corners, because it is blurred too.
  @Test(arguments: [0.08, 0.3]) func aFeatheredPolygonHasNoCreases(_ feather: Double) throws {
    let photo = Samples.flat([0, 0, 0], 120, 77, maximum: 65_535)
    let result = try MaskTests.develop(
      photo,
      #"[{"filter": "invert", "mask": {"polygon": {"points": [[0.2, 0.1], [0.9, 0.3], [0.5, 0.5], [0.6, 0.9]], "feather": \#(feather)}}}]"#
    )
    let sharp = MaskFormulas.polygon(
      [(0.2, 0.1), (0.9, 0.3), (0.5, 0.5), (0.6, 0.9)], feather: 0.002)
    let wanted = MaskFormulas.blurred(sharp, 120, 77, sigma: feather / 5.0.squareRoot() * 77)
    var worst = 0.0
    for y in 0..<77 {
      for x in 0..<120 {
        let cover = Double(result[x, y, 0]) / 65_535
        worst = max(worst, abs(cover - wanted[y * 120 + x]))
      }
    }
    #expect(worst < 0.012, "off by \(worst)")
  }

  @Test(arguments: cases, [0.04, 0.3])
  func masksOfAllKindsAreBlurredByTheirFeather(_ test: MaskTests.Case, _ feather: Double) throws {
    let photo = Samples.flat([0, 0, 0], 120, 77, maximum: 65_535)
    for (more, density, isInverted) in [
      ("", 1.0, false), (#", "density": 0.6, "invert": true"#, 0.6, true),
    ] {
      let mask = test.mask.dropLast() + #", "feather": \#(feather)\#(more)}"#
      let result = try MaskTests.develop(photo, #"[{"filter": "invert", "mask": \#(mask)}]"#)
      let wanted = MaskFormulas.blurred(test.coverage, 120, 77, sigma: feather * 77)
      var worst = 0.0
      for y in 0..<77 {
        for x in 0..<120 {
          let cover = isInverted ? 1 - wanted[y * 120 + x] : wanted[y * 120 + x]
          worst = max(worst, abs(Double(result[x, y, 0]) / 65_535 - density * cover))
        }
      }
      #expect(worst < 0.012, "off by \(worst)")
    }
  }

  /// In a large frame, a feathered mask is computed at a reduced size, and looks the same as in a
  /// small frame.
  ///
  /// The sigma of the blur is a fraction of the frame's size.
  @Test func aFeatheredMaskLooksTheSameInALargeFrame() throws {
    let mask = #"{"subtract": [\#(Self.slopeText), \#(Self.discText)], "feather": 0.02}"#
    func result(_ width: Int, _ height: Int) throws -> Samples {
      try MaskTests.develop(
        Samples.flat([0, 0, 0], width, height, maximum: 65_535),
        #"[{"filter": "invert", "mask": \#(mask)}, {"filter": "resize", "width": 100}]"#)
    }
    #expect(try result(400, 300).difference(from: result(4000, 3000)) < 65_535 / 60)
  }

  @Test func aFeatheredCombinationCanBePartOfAnotherCombination() throws {
    let photo = Samples.flat([0, 0, 0], 80, 60, maximum: 65_535)
    let inner = #"{"add": [\#(Self.discText), \#(Self.cornerText)], "feather": 0.05}"#
    let apart = try MaskTests.develop(photo, #"[{"filter": "invert", "mask": \#(inner)}]"#)
    let within = try MaskTests.develop(
      photo,
      #"[{"filter": "invert", "mask": {"intersect": [\#(inner), {"luminance": {"max": 0.5}}]}}]"#)
    #expect(apart.difference(from: within) <= 1)
    let twice = try MaskTests.develop(
      photo,
      #"[{"filter": "invert", "mask": {"add": [\#(inner), \#(inner)], "feather": 0.001}}]"#)
    for (once, twice) in zip(apart.values, twice.values) {
      let cover = Double(once) / 65_535
      #expect(abs(Double(twice) / 65_535 - (2 * cover - cover * cover)) < 0.003)
    }
  }
}
