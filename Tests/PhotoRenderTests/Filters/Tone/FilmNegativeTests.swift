import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// Simulated scans of negative film, and the scenes that the filter restores from them.
@Suite struct FilmNegativeTests {
  /// The linear light of a scene with a range of six stops: columns of greys, and one column of
  /// red.
  private static let scene: [[Double]] =
    (0...60).map { Array(repeating: exp2(-Double($0) / 10), count: 3) } + [[0.5, 0.1, 0.1]]

  /// `base` is the orange base of colour film; `slopes` are the slopes of the densities of its
  /// layers.
  private static let base = [0.8, 0.4, 0.22]
  private static let slopes = [0.5, 0.6, 0.7]

  private static func encoded(_ light: Double) -> Int {
    let value = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    return Int((65_535 * value).rounded())
  }

  private static func scan(_ slopes: [Double], _ base: [Double]) -> Samples {
    let row = scene.flatMap { light in
      (0..<3).map { c in encoded(base[c] * pow(light[c] / exp2(-6), -slopes[c])) }
    }
    return Samples(
      width: scene.count, height: 8, bands: 3, maximum: 65_535,
      values: (0..<8).flatMap { _ in row })
  }

  private static func developed(_ scan: Samples, range: Int = 6) throws -> Samples {
    let settings = #""range": \#(range), "baseClip": 0, "whiteClip": 0"#
    let filters = #"[{"filter": "negative", \#(settings)}]"#
    return try Samples(file: Studio.develop(scan.file(), filters, rendering: "exact"))
  }

  @Test(arguments: [(slopes, base), ([0.6, 0.6, 0.6], [0.7, 0.7, 0.7])])
  func theSceneIsRestoredFromItsNegative(_ slopes: [Double], _ base: [Double]) throws {
    let result = try Self.developed(Self.scan(slopes, base))
    for (x, light) in Self.scene.enumerated() {
      for c in 0..<3 {
        let wanted = Self.encoded(light[c])
        #expect(abs(result[x, 4][c] - wanted) <= 60, "\(x): \(result[x, 4])")
      }
    }
  }

  /// A larger `range` gives more contrast; white stays unchanged.
  @Test func aLargerRangeGivesMoreContrast() throws {
    let scan = Self.scan(Self.slopes, Self.base)
    let (soft, hard) = (try Self.developed(scan, range: 6), try Self.developed(scan, range: 12))
    #expect(abs(hard[0, 0, 1] - soft[0, 0, 1]) <= 60)
    #expect(hard[30, 0, 1] < soft[30, 0, 1] && hard[60, 0, 1] < soft[60, 0, 1])
  }

  @Test func aPhotoOfOneColourStaysUnchanged() throws {
    let photo = try Samples.flat([90, 90, 90], 60, 40).file()
    #expect(
      try Studio.develop(photo, #"[{"filter": "negative"}]"#) == Studio.develop(photo, "[]"))
  }
}
