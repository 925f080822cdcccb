import Foundation
import TestReference
import Testing
import Vips

/// `phbatch_defringe`, compared with its formula in double precision.
@Suite struct DefringeTests {
  private struct Settings {
    var radius: Int
    var contrast: Double
    var amounts: [Double]
    var hues = [(250.0, 320.0), (100.0, 170.0)]
  }

  /// The weight of a hue: 1 between `first` and `last`, decreasing to 0 at 15 degrees outside this
  /// range.
  private static func weight(_ hue: Double, _ first: Double, _ last: Double) -> Double {
    func distance(_ a: Double, _ b: Double) -> Double {
      let way = abs(a - b).truncatingRemainder(dividingBy: 360)
      return min(way, 360 - way)
    }
    if (first...last).contains(hue) { return 1 }
    return max(0, 1 - min(distance(hue, first), distance(hue, last)) / 15)
  }

  /// The hue on the HSV wheel in degrees, and the range of the channels.
  private static func hue(_ colour: [Double]) -> (hue: Double, range: Double) {
    let (red, green, blue) = (colour[0], colour[1], colour[2])
    let (most, least) = (max(red, green, blue), min(red, green, blue))
    let range = most - least
    if range <= 1e-4 { return (0, 0) }
    let hue =
      most == red
      ? 60 * (green - blue) / range
      : most == green ? 60 * (blue - red) / range + 120 : 60 * (red - green) / range + 240
    return (hue < 0 ? hue + 360 : hue, range)
  }

  /// The share of each pixel that is a fringe, and the strength of its change.
  private static func fringes(
    _ chroma: ChromaReference, _ settings: Settings
  ) -> (share: Raster, strength: Raster) {
    let luma = chroma.luma
    let (low, high) = (
      luma.lowest(radius: settings.radius), luma.highest(radius: settings.radius)
    )
    var (share, strength) = (luma.mapped { _, _, _ in 0 }, luma.mapped { _, _, _ in 0 })
    for (amount, hues) in zip(settings.amounts, settings.hues) {
      let colour = luma.mapped { x, y, _ in
        let own = chroma.colour(x, y, chroma.red.value(x, y, 0), chroma.blue.value(x, y, 0))
        let (hue, range) = Self.hue(own)
        return range * weight(hue, hues.0, hues.1)
      }
      let opening = colour.lowest(radius: settings.radius).highest(radius: settings.radius)
      let around = colour.averaged(radius: Double(2 * settings.radius))
      func part(_ x: Int, _ y: Int) -> Double {
        let value = colour.value(x, y, 0)
        if value <= 0 || amount <= 0 { return 0 }
        let leaves = smoothStep(0.35, 0.7, around.value(x, y, 0) / value)
        return (value - opening.value(x, y, 0)) / value * (1 - leaves)
      }
      share = share.mapped { x, y, _ in min(1, share.value(x, y, 0) + part(x, y)) }
      strength = strength.mapped { x, y, _ in
        let range = high.value(x, y, 0) - low.value(x, y, 0)
        let edge = smoothStep(0.5 * settings.contrast, 1.5 * settings.contrast, range)
        return min(1, strength.value(x, y, 0) + amount * part(x, y) * edge)
      }
    }
    return (share, strength)
  }

  private static func defringed(_ input: Raster, _ settings: Settings) -> Raster {
    let margin = 4 * settings.radius
    let chroma = ChromaReference(input.padded(by: margin))
    let (share, strength) = fringes(chroma, settings)
    let weight = share.mapped { x, y, _ in 1 - share.value(x, y, 0) }
    let weights = weight.averaged(radius: Double(2 * settings.radius))
    func moved(_ channel: Raster) -> Raster {
      let sums = channel.mapped { x, y, _ in channel.value(x, y, 0) * weight.value(x, y, 0) }
        .averaged(radius: Double(2 * settings.radius))
      return channel.mapped { x, y, _ in
        let value = channel.value(x, y, 0)
        let all = weights.value(x, y, 0)
        let aim = all > 1e-6 ? sums.value(x, y, 0) / all : 0
        return value + strength.value(x, y, 0) * (aim - value)
      }.trimmed(by: margin)
    }
    return ChromaReference(input).photo(red: moved(chroma.red), blue: moved(chroma.blue))
  }

  @Test(arguments: [(29, 17), (1, 1), (40, 2)], 0..<3)
  func theDefringeKernelMatchesItsFormula(_ size: (Int, Int), _ number: Int) throws {
    let settings = [
      Settings(radius: 1, contrast: 0.3, amounts: [1, 0]),
      Settings(radius: 2, contrast: 0, amounts: [0.5, 0.8]),
      Settings(radius: 3, contrast: 0.9, amounts: [0, 1]),
    ][number]
    for bands in [3, 4] {
      for format in SampleFormat.allCases {
        let noise = Raster.noise(size.0, size.1, bands: bands)
        let input = noise.mapped { x, y, band in
          let alpha = bands == 4 ? 0.3 + 0.7 * noise.value(x, y, 3) : 1
          return band == 3 ? alpha : noise.value(x, y, band) * alpha
        }.stored(as: format)
        let output = try input.image(as: format).applying(
          "phbatch_defringe",
          [
            "radius": .integer(settings.radius), "contrast": .number(settings.contrast),
            "purple": .number(settings.amounts[0]), "green": .number(settings.amounts[1]),
            "format": .choice(format.rawValue),
          ])
        let expected = Self.defringed(input, settings)
        #expect(
          try expected.distance(to: output, as: format) <= format.longTolerance, "\(format)")
      }
    }
  }
}
