import TestRandom
import Testing

@testable import PhotoRecipes

/// Compares the local bases (the smoothed luma) of local tone filters with NumPy in double
/// precision.
@Suite struct LocalBaseTests {
  /// With 32-bit floats, a variance as small as that of noise has an error of up to a thousandth.
  private static let tolerance = 1e-3

  @Test func theBasesOfLightAndShadeMatchTheFormula() throws {
    try MeasuredPicture.expect(
      LocalBase.broad.map(of: MeasuredPicture.view()), toBe: "broad", within: 5e-5)
  }

  /// A photo with several pixels in each cell of the grid, some of them partly outside.
  @Test func cellsWithManyPixelsMatchTheFormula() throws {
    try MeasuredPicture.expect(
      LocalBase.broad.map(of: MeasuredPicture.view(enlarged: 5)), toBe: "large", within: 5e-5)
  }

  @Test(arguments: [("contrast", LocalBase.contrast), ("fine", .fine)])
  func detailAboveNoiseMatchesTheFormula(_ name: String, _ base: LocalBase) throws {
    try MeasuredPicture.expect(
      base.map(of: MeasuredPicture.view()), toBe: name, within: Self.tolerance)
  }

  @Test func pixelsAreWeightedByTheirAlpha() throws {
    let view = MeasuredPicture.view(alpha: MeasuredPicture.weights)
    try MeasuredPicture.expect(
      LocalBase.contrast.map(of: view), toBe: "translucent", within: Self.tolerance)
  }

  /// Noise below the noise floor is hardly treated as detail; noise well above this floor is
  /// treated almost completely as detail.
  @Test(arguments: [LocalBase.contrast, .fine])
  func noiseIsTreatedAsBaseAndNotAsDetail(_ base: LocalBase) {
    func slope(_ deviation: Double, _ base: LocalBase) -> Double {
      var random = SeededGenerator(seed: 5)
      let size = Size(256, 192)
      let pixels = (0..<size.pixels).map { _ in
        let step = Float.random(in: -1.732...1.732, using: &random)
        return SIMD3<Float>(repeating: 0.5 + Float(deviation) * step)
      }
      let map = base.map(of: PhotoView(size: size, full: size, pixels: pixels))
      let rises = (0..<map.size.pixels).map { place in
        MeasuredPicture.value(of: map, at: place, 0.52)
          - MeasuredPicture.value(of: map, at: place, 0.48)
      }
      return rises.reduce(0, +) / Double(rises.count) / 0.04
    }
    #expect(slope(1.0 / 255, base) > 0.9)
    #expect(slope(8.0 / 255, base) < 0.25)
    #expect(slope(1.0 / 255, base.countingNoise) < 0.05)
  }

  /// A flat photo has no variance: the base must not divide by zero.
  @Test(arguments: [Size(1, 1), Size(1, 9), Size(9, 1), Size(3, 2)], [0, 0.5, 1] as [Float])
  func flatPhotosStayFlat(_ size: Size, _ level: Float) {
    let pixels = [SIMD3<Float>](repeating: SIMD3(repeating: level), count: size.pixels)
    for alpha in [nil, [Float](repeating: 0, count: size.pixels)] {
      for base in [LocalBase.broad, .contrast, .fine] {
        let map = base.map(of: PhotoView(size: size, full: size, pixels: pixels, alpha: alpha))
        for place in 0..<map.size.pixels {
          let found = MeasuredPicture.value(of: map, at: place, Double(level))
          #expect(abs(found - Double(level)) < 1e-5 || alpha != nil)
          #expect(found.isFinite)
        }
      }
    }
  }
}
