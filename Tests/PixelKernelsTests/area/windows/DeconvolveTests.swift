import Foundation
import TestReference
import Testing
import Vips

/// `phbatch_deconvolve`, compared with damped Richardson–Lucy deconvolution in double precision.
@Suite struct DeconvolveTests {
  private struct Settings {
    var sigma: Double
    var iterations: Int
    var amount = 1.0
    var threshold = 0.0
    var halo = 0.0

    var margin: Int { (2 * iterations + 1) * Int((3 * sigma).rounded(.up)) }
  }

  private static func light(_ photo: Raster) -> Raster {
    Raster(photo.width, photo.height, bands: 1) { x, y, _ in
      let colour = (0..<3).map { PointReference.decoded(photo.value(x, y, $0)) }
      return max(0, 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]) + 1.0 / 4096
    }
  }

  /// The luminance whose blur gives `light`.
  private static func restored(_ light: Raster, _ settings: Settings) -> Raster {
    var restored = light
    for _ in 0..<settings.iterations {
      let blurred = restored.blurred(sigma: settings.sigma)
      let factors = light.mapped { x, y, _ in
        let (own, found) = (light.value(x, y, 0), blurred.value(x, y, 0))
        let noise = settings.threshold * settings.threshold * found
        let likely = noise > 0 ? min(1, (own - found) * (own - found) / noise) : 1
        return 1 + pow(likely, 9) * (10 - 9 * likely) * (own / found - 1)
      }.blurred(sigma: settings.sigma)
      restored = restored.mapped { restored.value($0, $1, $2) * factors.value($0, $1, $2) }
    }
    let radius = Int((2 * settings.sigma).rounded(.up))
    let (low, high) = (light.lowest(radius: radius), light.highest(radius: radius))
    return restored.mapped { x, y, _ in
      let value = restored.value(x, y, 0)
      let within = min(max(value, low.value(x, y, 0)), high.value(x, y, 0))
      return value + settings.halo * (within - value)
    }
  }

  private static func sharpened(_ input: Raster, _ settings: Settings) -> Raster {
    let light = Self.light(input.padded(by: settings.margin))
    let restored = Self.restored(light, settings).trimmed(by: settings.margin)
    let before = light.trimmed(by: settings.margin)
    return input.mapped { x, y, band in
      let ratio = restored.value(x, y, 0) / before.value(x, y, 0)
      let factor = 1 + settings.amount * (ratio - 1)
      return PointReference.encoded(PointReference.decoded(input.value(x, y, band)) * factor)
    }
  }

  private static func applied(
    _ input: Raster, _ settings: Settings, _ format: SampleFormat
  ) throws -> Image {
    try input.image(as: format).applying(
      "phbatch_deconvolve",
      [
        "sigma": .number(settings.sigma), "iterations": .number(Double(settings.iterations)),
        "amount": .number(settings.amount), "threshold": .number(settings.threshold),
        "halo": .number(settings.halo), "format": .choice(format.rawValue),
      ])
  }

  @Test(arguments: [(29, 17), (1, 1), (40, 2)], 0..<4)
  func theDeconvolveKernelMatchesItsFormula(_ size: (Int, Int), _ number: Int) throws {
    let settings = [
      Settings(sigma: 0.7, iterations: 3), Settings(sigma: 0.4, iterations: 1, amount: 0.5),
      Settings(sigma: 0.6, iterations: 4, threshold: 0.05, halo: 0.5),
      Settings(sigma: 1.1, iterations: 2, halo: 1),
    ][number]
    for format in SampleFormat.allCases {
      let input = Raster.noise(size.0, size.1, bands: 3, in: 0.1...0.9).stored(as: format)
      let output = try Self.applied(input, settings, format)
      let expected = Self.sharpened(input, settings)
      #expect(try expected.distance(to: output, as: format) <= format.longTolerance, "\(format)")
    }
  }

  /// After 20 iterations, a picture that was blurred by the same Gaussian is closer to the original
  /// by a third; the algorithm in double precision comes no closer.
  @Test func twentyIterationsReduceABlur() throws {
    let sharp = Raster(64, 48, bands: 3) { x, y, _ in
      (x / 8 + y / 6) % 2 == 0 ? 0.25 : 0.75
    }
    let light = sharp.mapped { PointReference.decoded(sharp.value($0, $1, $2)) }
    let blurred = light.blurred(sigma: 1)
    let input = blurred.mapped { PointReference.encoded(blurred.value($0, $1, $2)) }
    let output = try Self.applied(input, Settings(sigma: 1, iterations: 20), .float)
    let found = Raster(
      width: 64, height: 48, bands: 3, values: Raster.values(of: try output.pixels(), as: .float))
    func error(_ other: Raster) -> Double {
      let squares = zip(other.values, sharp.values).map { ($0 - $1) * ($0 - $1) }
      return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }
    #expect(error(found) < 0.67 * error(input), "\(error(found)) \(error(input))")
  }

  /// Noise below the threshold stays unchanged; an edge in the same picture is sharpened.
  @Test func noiseBelowTheThresholdIsNotAmplified() throws {
    let noise = Raster.noise(60, 40, bands: 1, in: -0.004...0.004)
    let edge = Raster(60, 40, bands: 3) { x, _, _ in x < 30 ? 0.3 : 0.8 }.blurred(sigma: 0.8)
    let input = edge.mapped { x, y, band in edge.value(x, y, band) + noise.value(x, y, 0) }
    let settings = Settings(sigma: 0.8, iterations: 10, threshold: 0.03)
    let output = try Self.applied(input, settings, .float)
    let found = Raster(
      width: 60, height: 40, bands: 3, values: Raster.values(of: try output.pixels(), as: .float))
    for y in 0..<40 {
      #expect(abs(found.value(8, y, 1) - input.value(8, y, 1)) < 1e-4)
    }
    func step(_ raster: Raster) -> Double { raster.value(30, 20, 1) - raster.value(29, 20, 1) }
    #expect(step(found) > 1.15 * step(input), "\(step(found)) \(step(input))")
  }
}
