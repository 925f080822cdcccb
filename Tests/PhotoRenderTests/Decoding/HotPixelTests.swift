import Foundation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Defective sensor samples that differ strongly from all samples around them.
@Suite struct HotPixelTests {
  private static func light(
    _ file: SyntheticDNG, _ hotPixels: RawSettings.HotPixels = .mend
  ) throws -> [Float] {
    var settings = RawSettings()
    settings.hotPixels = hotPixels
    let photo = PhotoFile.bytes(file.bytes)
    return try RawDevelopment(photo, settings).image(photo, shrink: 1).samples(as: Float.self)
  }

  /// A brightness gradient with noise like that of a sensor at a high sensitivity: the standard
  /// deviation is 3 % of the square root of the light.
  private static func noisy(
    _ random: inout SeededGenerator, _ change: (Int, Int, Double) -> Double
  ) -> SyntheticDNG {
    SyntheticDNG(width: 200, height: 150, black: 500, white: 16_000) { x, y, colour in
      let light = [0.5, 1, 0.7][colour] * (0.1 + 0.003 * Double(x))
      let noise = (0..<6).reduce(-3.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) }
      return change(x, y, light + noise / 0.5.squareRoot() * 0.03 * light.squareRoot())
    }
  }

  private static let hot = [
    (20, 30), (61, 40), (90, 91), (121, 60), (150, 100), (33, 120),
    (0, 50), (1, 90), (0, 71), (198, 20), (60, 0), (101, 1), (80, 149), (120, 148), (0, 0),
    (199, 149),
  ]
  private static let dead = [(70, 70), (111, 21), (160, 51)]

  @Test func hotAndDeadPixelsAreReplaced() throws {
    var random = SeededGenerator(seed: 9)
    let sound = Self.noisy(&random) { _, _, light in light }
    random = SeededGenerator(seed: 9)
    let broken = Self.noisy(&random) { x, y, light in
      if Self.hot.contains(where: { $0 == (x, y) }) { return 1 }
      return Self.dead.contains { $0 == (x, y) } ? -0.03 : light
    }
    let wanted = try Self.light(sound, .keep)
    let mended = try Self.light(broken)
    let kept = try Self.light(broken, .keep)
    func difference(_ found: [Float], _ place: (Int, Int)) -> Float {
      let at = 3 * (place.1 * 200 + place.0)
      return (at..<(at + 3)).map { abs(found[$0] - wanted[$0]) }.max() ?? 0
    }
    for place in Self.hot + [Self.dead[2]] {
      #expect(difference(mended, place) < 0.13, "\(place): \(difference(mended, place))")
      #expect(difference(kept, place) > 0.3, "\(place): \(difference(kept, place))")
    }
  }

  /// Noise without defects, and points and edges of a picture, stay unchanged.
  @Test func samplesWithoutDefectsStayUnchanged() throws {
    var random = SeededGenerator(seed: 10)
    let noise = Self.noisy(&random) { _, _, light in light }
    #expect(try Self.light(noise) == Self.light(noise, .keep))
    // Stars whose light spreads with a standard deviation of 0.7 pixels, at different places
    // between the pixels.
    let stars = SyntheticDNG(width: 200, height: 150) { x, y, colour in
      let spots = (0..<7).flatMap { i in (0..<5).map { j in (i, j) } }
      let sum = spots.reduce(0.0) { sum, spot in
        let (i, j) = (Double(spot.0), Double(spot.1))
        let (u, v) = (Double(x) - 15 - 27.3 * i, Double(y) - 14 - 29.7 * j)
        return sum + 0.9 * exp(-(u * u + v * v) / (2 * 0.7 * 0.7))
      }
      return [0.5, 1, 0.7][colour] * min(1, 0.02 + sum)
    }
    #expect(try Self.light(stars) == Self.light(stars, .keep))
    let lines = SyntheticDNG(width: 200, height: 150) { x, y, colour in
      [0.5, 1, 0.7][colour] * (x % 40 == 7 || y % 30 == 12 || x == y ? 0.8 : 0.1)
    }
    #expect(try Self.light(lines) == Self.light(lines, .keep))
  }
}
