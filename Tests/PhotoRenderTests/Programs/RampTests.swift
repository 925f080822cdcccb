import TestSupport
import Testing

/// Chains and filters on a ramp of all 65,536 grey levels.
@Suite struct RampTests {
  private static let ramp = Samples(
    width: 256, height: 256, bands: 3, maximum: 65_535,
    values: (0..<65_536).flatMap { [$0, $0, $0] })

  private static func developed(_ filters: String, rendering: String = "balanced") throws -> [Int] {
    let result = try Samples(
      file: Studio.develop(ramp.file(), filters, rendering: rendering))
    try #require(result.maximum == 65_535 && result.bands == 3)
    return result.values
  }

  private static let twelveSteps = """
    [{"filter": "exposure", "stops": -0.2}, {"filter": "whites", "amount": 0.3},
     {"filter": "blacks", "amount": 0.2}, {"filter": "light", "amount": 0.4},
     {"filter": "contrast", "amount": 0.2}, {"filter": "vibrance", "amount": 0.5},
     {"filter": "levels", "black": 0.03, "white": 0.98},
     {"filter": "curves", "rgb": [[0, 0.02], [0.3, 0.26], [0.7, 0.74], [1, 0.98]]},
     {"filter": "hsl", "redHue": 0.5, "blueSaturation": 0.3},
     {"filter": "gamma", "gamma": 1.1}, {"filter": "saturation", "amount": 0.2},
     {"filter": "colourBalance", "midtonesLevel": 0.1, "shadowsLevel": 0.1}]
    """

  /// The result never decreases, and no step is larger than the slope of the chain explains.
  @Test(arguments: ["balanced", "exact"]) func twelveStepsKeepARampSmooth(
    _ rendering: String
  ) throws {
    let values = try Self.developed(Self.twelveSteps, rendering: rendering)
    let levels = stride(from: 0, to: values.count, by: 3).map { values[$0] }
    let rises = zip(levels, levels.dropFirst()).map { $1 - $0 }
    #expect(rises.allSatisfy { $0 >= 0 }, "falls by \(-(rises.min() ?? 0))")
    let slopes = (64..<rises.count).map { Double(levels[$0] - levels[$0 - 64]) / 64 }
    let banding = zip(rises.dropFirst(64), slopes).map { abs(Double($0) - $1) }.max() ?? 0
    #expect(banding <= 2, "\(banding)")
    #expect(Set(levels).count > 40_000, "\(Set(levels).count) levels")
  }

  @Test(arguments: [
    twelveSteps, #"[{"filter": "light", "amount": -1}]"#, #"[{"filter": "light", "amount": 1}]"#,
    #"[{"filter": "whites", "amount": -1}]"#, #"[{"filter": "blacks", "amount": 1}]"#,
    #"[{"filter": "hsl", "redHue": 1, "greenLuminance": 1, "blueSaturation": -1}]"#,
    #"[{"filter": "saturation", "amount": 1}]"#, #"[{"filter": "vibrance", "amount": 1}]"#,
    #"[{"filter": "hue", "angle": 120}]"#, #"[{"filter": "posterize", "levels": 7}]"#,
    #"[{"filter": "threshold"}]"#, #"[{"filter": "solarize"}]"#,
    #"[{"filter": "channelMixer", "redGreen": 1.3, "blueRed": -0.4, "preserveLuminosity": true}]"#,
    #"[{"filter": "look", "name": "mono"}]"#, #"[{"filter": "look", "name": "tonal"}]"#,
    #"[{"filter": "look", "name": "noir"}]"#, #"[{"filter": "look", "name": "chrome"}]"#,
    #"[{"filter": "colourBalance", "midtonesLevel": -1, "highlightsLevel": 0.5}]"#,
    ##"[{"filter": "tint", "colour": "#777777", "strength": 1}]"##,
  ])
  func filteredGreysStayGrey(_ filters: String) throws {
    let values = try Self.developed(filters)
    let spread =
      stride(from: 0, to: values.count, by: 3).map { pixel in
        let channels = values[pixel..<pixel + 3]
        return (channels.max() ?? 0) - (channels.min() ?? 0)
      }.max() ?? 0
    #expect(spread <= 2, "channels differ by \(spread)")
  }

  /// Each of these tone filters keeps the order of the tones, with every amount.
  @Test(arguments: ["whites", "blacks", "light", "contrast"], [-1.0, -0.5, 0.5, 1])
  func toneFiltersKeepTheOrderOfTones(_ filter: String, _ amount: Double) throws {
    let values = try Self.developed(#"[{"filter": "\#(filter)", "amount": \#(amount)}]"#)
    let levels = stride(from: 0, to: values.count, by: 3).map { values[$0] }
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 <= $1 })
  }

  /// A rotation of hue between two opposite steps does not change greys, and prevents the optimiser
  /// from removing both steps.
  @Test(arguments: ["whites", "blacks"], [0.25, 1])
  func oppositeAmountsRestoreTheRamp(_ filter: String, _ amount: Double) throws {
    let values = try Self.developed(
      """
      [{"filter": "\(filter)", "amount": \(amount)},
       {"filter": "hue", "angle": 40},
       {"filter": "\(filter)", "id": "back", "amount": \(-amount)}]
      """)
    let worst = zip(values, Self.ramp.values).map { abs($0 - $1) }.max() ?? 0
    #expect(worst <= 1)
  }
}
