import Foundation
import TestReference
import Testing
import Vips

/// `phbatch_soften`, `phbatch_bloom` and `phbatch_tilt`, compared with their formulas in double
/// precision.
@Suite struct GlowTests {
  private static let sizes = [(29, 17), (1, 1), (1, 20), (600, 2)]

  private func check(
    _ kernel: String, _ arguments: [String: Argument], on size: (Int, Int),
    tolerance: (SampleFormat) -> Double = { $0.tolerance },
    _ expected: (Raster) -> Raster
  ) throws {
    for format in SampleFormat.allCases {
      let input = Raster.noise(size.0, size.1, bands: 3).stored(as: format)
      var arguments = arguments
      arguments["format"] = .choice(format.rawValue)
      let output = try input.image(as: format).applying(kernel, arguments)
      let distance = try expected(input).distance(to: output, as: format)
      #expect(distance <= tolerance(format), "\(format)")
    }
  }

  @Test(arguments: sizes, [0.0, 0.6, 1.0])
  func softenMatchesTheFormulaOfTheOrtonEffect(_ size: (Int, Int), _ amount: Double) throws {
    func screened(_ x: Double) -> Double { 1 - pow(1 - min(max(x, 0), 1), 2) }
    try check("phbatch_soften", ["sigma": .number(2), "amount": .number(amount)], on: size) {
      input in
      let blurred = input.blurred(sigma: 2)
      return input.mapped { x, y, band in
        let value = input.value(x, y, band)
        return value + amount
          * (screened(value) * screened(blurred.value(x, y, band)) - value)
      }
    }
  }

  @Test(arguments: sizes, [(0.5, 0.0), (2.0, 0.6), (0.0, 0.99)])
  func bloomMatchesItsFormula(_ size: (Int, Int), _ settings: (Double, Double)) throws {
    let (amount, threshold) = settings
    try check(
      "phbatch_bloom",
      ["sigma": .number(2), "amount": .number(amount), "threshold": .number(threshold)], on: size
    ) { input in
      let luma = input.luma
      let bright = input.mapped { x, y, band in
        light(input.value(x, y, band)) * smoothStep(threshold, 1, luma.value(x, y, 0))
      }
      let glow = bright.blurred(sigma: 2)
      return input.mapped { x, y, band in
        let (here, added) = (light(input.value(x, y, band)), amount * glow.value(x, y, band))
        return encoded(here + max(0, 1 - here) * added / (1 + added))
      }
    }
  }

  @Test(arguments: sizes, [0.0, 25.0, 90.0, -140.0])
  func tiltMatchesItsFormula(_ size: (Int, Int), _ angle: Double) throws {
    try check(
      "phbatch_tilt",
      [
        "sigma": .number(3), "x": .number(0.4), "y": .number(0.6), "angle": .number(angle),
        "width": .number(0.2), "falloff": .number(0.5),
      ], on: size
    ) { input in
      let (soft, softest) = (input.blurred(sigma: 1.5), input.blurred(sigma: 3))
      let shorter = Double(min(size.0, size.1))
      let (turn, middle) = (angle * .pi / 180, (0.4 * Double(size.0), 0.6 * Double(size.1)))
      return input.mapped { x, y, band in
        let (right, down) = (Double(x) + 0.5 - middle.0, Double(y) + 0.5 - middle.1)
        // The distance from a line with the direction (cos, −sin), in an image whose y axis points
        // down.
        let distance = abs(right * sin(turn) + down * cos(turn))
        let variance = pow(3 * smoothStep(0.1 * shorter, 0.6 * shorter, distance), 2)
        let stages = [input, soft, softest].map { $0.value(x, y, band) }
        func part(_ way: Double) -> Double { min(1, max(0, way * 1.002 - 0.001)) }
        return variance < 2.25
          ? stages[0] + part(variance / 2.25) * (stages[1] - stages[0])
          : stages[1] + part((variance - 2.25) / (9 - 2.25)) * (stages[2] - stages[1])
      }
    }
  }

  /// The colours of partly transparent pixels are divided by alpha before the formula is applied,
  /// and multiplied by alpha after it.
  @Test func coloursAreUnpremultipliedBeforeTheFormula() throws {
    let colours = Raster.noise(40, 30, bands: 3)
    let alpha = 0.25
    let see = Raster(40, 30, bands: 4) { x, y, band in
      band == 3 ? alpha : alpha * colours.value(x, y, band)
    }
    let settings: [String: Argument] = [
      "sigma": .number(2), "amount": .number(0.7), "format": .choice("float"),
    ]
    let opaque = try colours.image(as: .float).applying("phbatch_soften", settings)
    let values = Raster.values(of: try opaque.pixels(), as: .float)
    let softened = Raster(width: 40, height: 30, bands: 3, values: values)
    let expected = see.mapped { x, y, band in
      band == 3 ? alpha : alpha * softened.value(x, y, band)
    }
    let output = try see.image(as: .float).applying("phbatch_soften", settings)
    #expect(try expected.distance(to: output, as: .float) <= 1e-5)
  }
}

/// The linear light of a display-encoded value.
///
/// Source: IEC 61966-2-1:1999.
private func light(_ x: Double) -> Double {
  x > 0.04045 ? pow((x + 0.055) / 1.055, 2.4) : x / 12.92
}

private func encoded(_ x: Double) -> Double {
  x > 0.0031308 ? 1.055 * pow(x, 1 / 2.4) - 0.055 : x * 12.92
}
