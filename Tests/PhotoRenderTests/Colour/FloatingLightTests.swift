import TestSupport
import Testing
import Vips

@testable import PhotoRecipes

/// Photos of floating-point linear light, in which 1 is white and larger values are brighter than
/// white.
@Suite struct FloatingLightTests {
  private static let levels: [Float] = [0.02, 0.18, 0.5, 1, 2, 4]

  /// A photo of squares of 16 × 16 pixels, one below the other; each square has one level.
  private static func photo(bands: Int) throws -> [UInt8] {
    let samples = levels.flatMap { level in (0..<256 * bands).map { _ in level } }
    let image = try Image(
      samples: samples, width: 16, height: 16 * levels.count, bands: bands
    ).applying("copy", ["interpretation": .choice(bands == 1 ? "b-w" : "scrgb")])
    return try SyntheticPhoto.bytes(image, "tiffsave_target")
  }

  @Test(arguments: [1, 3]) func lightAboveWhiteIsKeptUntilExposureDarkensIt(_ bands: Int) throws {
    let filters = #"[{"filter": "exposure", "stops": -3}]"#
    let result = try Samples(file: Studio.develop(Self.photo(bands: bands), filters))
    for (number, level) in Self.levels.enumerated() {
      let wanted = Curve.encode(Double(level) / 8) * Double(result.maximum)
      let found = result[8, 16 * number + 8]
      #expect(
        found.prefix(3).allSatisfy { abs(Double($0) - wanted) <= 0.003 * Double(result.maximum) },
        "\(level): \(found), not \(wanted)")
    }
  }

  @Test(arguments: [1, 3]) func linearLightIsEncodedWithTheSRGBCurve(_ bands: Int) throws {
    let filters = #"[{"filter": "resize", "width": 8}]"#
    let result = try Samples(file: Studio.develop(Self.photo(bands: bands), filters))
    for (number, level) in Self.levels.enumerated() {
      let wanted = min(1, Curve.encode(Double(level))) * Double(result.maximum)
      let found = result[4, 8 * number + 4]
      #expect(
        found.prefix(3).allSatisfy { abs(Double($0) - wanted) <= 0.003 * Double(result.maximum) },
        "\(level): \(found), not \(wanted)")
    }
  }
}
