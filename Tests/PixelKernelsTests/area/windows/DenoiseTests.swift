import Foundation
import TestReference
import Testing
import Vips

/// `phbatch_denoise`, compared with its algorithm in double precision, and its effect on noise and
/// edges.
@Suite struct DenoiseTests {
  private static func arguments(
    luma: Double, chroma: Double, detail: Double = 0.5, format: SampleFormat = .float
  ) -> [String: Argument] {
    [
      "luma": .number(luma), "chroma": .number(chroma), "detail": .number(detail),
      "format": .choice(format.rawValue),
    ]
  }

  /// Half of the picture is dark; the rest is a ramp of another colour.
  private static func scene(_ width: Int, _ height: Int, bands: Int = 3) -> Raster {
    Raster(width, height, bands: bands) { x, y, band in
      if x + y < (width + height) / 3 { return 0.2 + 0.05 * Double(band) }
      return 0.4 + 0.3 * Double(x) / Double(width) - 0.1 * Double(band)
    }
  }

  private static func noisy(_ scene: Raster, deviation: Double) -> Raster {
    // The sum of three uniform noises is nearly normal.
    let noises = Raster.noise(
      scene.width, scene.height, bands: 3 * scene.bands, in: -deviation...deviation)
    return scene.mapped { x, y, band in
      scene.value(x, y, band) + (0..<3).map { noises.value(x, y, 3 * band + $0) }.reduce(0, +)
    }
  }

  @Test(
    arguments: [(21, 13), (1, 1)],
    [(0.5, 0.0, 0.5), (0.0, 0.7, 0.0), (0.3, 1.0, 1.0), (0.0, 0.0, 0.5)])
  func theDenoiseKernelMatchesItsAlgorithm(
    _ size: (Int, Int), _ settings: (Double, Double, Double)
  ) throws {
    let (luma, chroma, detail) = settings
    let input = Self.noisy(Self.scene(size.0, size.1), deviation: 0.05).stored(as: .float)
    let expected = DenoiseReference.cleaned(input, luma: luma, chroma: chroma, detail: detail)
    let output = try input.image(as: .float).applying(
      "phbatch_denoise", Self.arguments(luma: luma, chroma: chroma, detail: detail))
    #expect(try expected.distance(to: output, as: .float) <= 2e-5)
  }

  @Test(arguments: SampleFormat.allCases) func aDenoisedFlatImageStaysUnchanged(
    _ format: SampleFormat
  ) throws {
    let input = Raster(70, 50, bands: 4) { _, _, band in Double(band * 85) / 255 }
    let output = try input.image(as: format).applying(
      "phbatch_denoise", Self.arguments(luma: 1, chroma: 1, format: format))
    #expect(try input.stored(as: format).distance(to: output, as: format) <= format.tolerance)
  }

  /// A picture of one colour with a soft edge to transparency keeps its colour: transparent pixels
  /// do not darken their neighbours.
  @Test func transparentPixelsDoNotDarkenTheirNeighbours() throws {
    let input = Raster(70, 50, bands: 4) { x, y, band in
      let alpha = min(max(Double(x + y - 50) / 2, 0), 1)
      return band == 3 ? alpha : alpha * Double(80 + band * 60) / 255
    }
    let output = try input.image(as: .float).applying(
      "phbatch_denoise", Self.arguments(luma: 0.5, chroma: 0.5))
    #expect(try input.distance(to: output, as: .float) <= 0.005)
  }

  private static func error(_ image: Raster, from scene: Raster) -> Double {
    let squares = zip(image.values, scene.values).map { ($0 - $1) * ($0 - $1) }
    return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
  }

  /// If the strength matches the noise, at most a quarter of its standard deviation remains.
  @Test(arguments: [0.02, 0.05, 0.1]) func noiseIsRemovedAndEdgesStay(_ deviation: Double) throws {
    let scene = Self.scene(200, 150)
    let input = Self.noisy(scene, deviation: deviation)
    let output = try input.image(as: .float).applying(
      "phbatch_denoise", Self.arguments(luma: 10 * deviation, chroma: 10 * deviation))
    let values = Raster.values(of: try output.pixels(), as: .float)
    let cleaned = Raster(width: 200, height: 150, bands: 3, values: values)
    #expect(Self.error(cleaned, from: scene) < 0.25 * Self.error(input, from: scene))
  }

  /// Denoising luma does not change chroma, and denoising chroma does not change luma.
  @Test func lumaAndChromaAreDenoisedIndependently() throws {
    let input = Self.noisy(Self.scene(60, 40), deviation: 0.05)
    for (luma, chroma) in [(0.5, 0.0), (0.0, 0.5)] {
      let output = try input.image(as: .float).applying(
        "phbatch_denoise", Self.arguments(luma: luma, chroma: chroma))
      let found = Raster(
        width: 60, height: 40, bands: 3, values: Raster.values(of: try output.pixels(), as: .float))
      for y in 0..<40 {
        for x in 0..<60 {
          let change = (0..<3).map { found.value(x, y, $0) - input.value(x, y, $0) }
          if chroma == 0 {
            #expect(abs(change[0] - change[1]) < 1e-5 && abs(change[2] - change[1]) < 1e-5)
          } else {
            #expect(abs(change[0] + change[1] + change[2]) < 1e-5)
          }
        }
      }
    }
  }
}
