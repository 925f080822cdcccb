import Foundation
import TestRandom
import Testing

/// Point filters through the whole renderer against the formulas in double precision.
@Suite struct PointFilterTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let filters: String
    let formula: PointFormulas.Formula

    init(_ filters: String, _ formula: @escaping PointFormulas.Formula) {
      self.filters = "[\(filters)]"
      self.formula = formula
    }

    var testDescription: String { filters }
  }

  static let single: [Case] = [
    Case(#"{"filter": "exposure", "stops": 0.3}"#, PointFormulas.exposure(0.3)),
    Case(#"{"filter": "exposure", "stops": -4}"#, PointFormulas.exposure(-4)),
    Case(#"{"filter": "exposure", "stops": 3}"#, PointFormulas.exposure(3)),
    Case(#"{"filter": "brightness", "amount": 0.2}"#, PointFormulas.brightness(0.2)),
    Case(#"{"filter": "brightness", "amount": -0.7}"#, PointFormulas.brightness(-0.7)),
    Case(#"{"filter": "contrast", "amount": 0.5}"#, PointFormulas.contrast(0.5)),
    Case(#"{"filter": "contrast", "amount": 1}"#, PointFormulas.contrast(1)),
    Case(#"{"filter": "contrast", "amount": -0.6}"#, PointFormulas.contrast(-0.6)),
    Case(#"{"filter": "gamma", "gamma": 2.2}"#, PointFormulas.gamma(2.2)),
    Case(#"{"filter": "gamma", "gamma": 0.4}"#, PointFormulas.gamma(0.4)),
    Case(#"{"filter": "gamma", "gamma": 10}"#, PointFormulas.gamma(10)),
    Case(
      #"{"filter": "levels", "black": 0.1, "white": 0.9, "gamma": 1.4}"#,
      PointFormulas.levels(0.1, 0.9, 1.4)),
    Case(
      #"{"filter": "levels", "black": 0.3, "gamma": 4, "outBlack": 0.2, "outWhite": 0.7}"#,
      PointFormulas.levels(0.3, 1, 4, 0.2, 0.7)),
    Case(
      #"{"filter": "levels", "black": 0.2, "gamma": 0.5, "channel": "green"}"#,
      PointFormulas.levels(0.2, 1, 0.5, channels: [1])),
    Case(
      #"{"filter": "levels", "outBlack": 1, "outWhite": 0}"#, PointFormulas.levels(0, 1, 1, 1, 0)),
    Case(#"{"filter": "invert"}"#, PointFormulas.invert()),
    Case(
      #"{"filter": "blackAndWhite"}"#, PointFormulas.blackAndWhite(1, [0.2126, 0.7152, 0.0722])),
    Case(
      #"{"filter": "blackAndWhite", "intensity": 0.6, "red": 1.5, "green": 0.2, "blue": -0.7}"#,
      PointFormulas.blackAndWhite(0.6, [1.5, 0.2, -0.7])),
    Case(#"{"filter": "sepia"}"#, PointFormulas.sepia(1)),
    Case(#"{"filter": "sepia", "intensity": 0.35}"#, PointFormulas.sepia(0.35)),
    Case(#"{"filter": "saturation", "amount": 1}"#, PointFormulas.saturation(1)),
    Case(#"{"filter": "saturation", "amount": -1}"#, PointFormulas.saturation(-1)),
    Case(#"{"filter": "saturation", "amount": -0.35}"#, PointFormulas.saturation(-0.35)),
    Case(#"{"filter": "vibrance", "amount": 0.7}"#, PointFormulas.vibrance(0.7)),
    Case(#"{"filter": "vibrance", "amount": -1}"#, PointFormulas.vibrance(-1)),
    Case(#"{"filter": "hue", "angle": 90}"#, PointFormulas.hue(90)),
    Case(#"{"filter": "hue", "angle": -33}"#, PointFormulas.hue(-33)),
    Case(
      #"{"filter": "vignette", "intensity": -0.8}"#,
      PointFormulas.vignette(-0.8, radius: 0.5, falloff: 0.7)),
    Case(
      #"{"filter": "vignette", "intensity": 1, "radius": 0.8, "falloff": 0.2}"#,
      PointFormulas.vignette(1, radius: 0.8, falloff: 0.2)),
  ]

  static let chains: [Case] = [
    Case(
      #"{"filter": "exposure", "stops": 0.5}, {"filter": "contrast", "amount": 0.3}, {"filter": "saturation", "amount": 0.2}"#,
      PointFormulas.chain([
        PointFormulas.exposure(0.5), PointFormulas.contrast(0.3), PointFormulas.saturation(0.2),
      ])),
    Case(
      #"{"filter": "sepia", "opacity": 0.4}, {"filter": "exposure", "stops": -1, "opacity": 0.7}, {"filter": "vignette", "intensity": -0.5}"#,
      PointFormulas.chain([
        PointFormulas.faded(PointFormulas.sepia(1), 0.4),
        PointFormulas.faded(PointFormulas.exposure(-1), 0.7),
        PointFormulas.vignette(-0.5, radius: 0.5, falloff: 0.7),
      ])),
    Case(
      #"{"filter": "hue", "angle": 20}, {"filter": "levels", "black": 0.1, "white": 0.95, "gamma": 1.2}, {"filter": "gamma", "gamma": 0.8}"#,
      PointFormulas.chain([
        PointFormulas.hue(20), PointFormulas.levels(0.1, 0.95, 1.2), PointFormulas.gamma(0.8),
      ])),
    Case(
      #"{"filter": "saturation", "amount": -0.5}, {"filter": "levels", "black": 0.2, "gamma": 3}"#,
      PointFormulas.chain([PointFormulas.saturation(-0.5), PointFormulas.levels(0.2, 1, 3)])),
    Case(
      #"{"filter": "vibrance", "amount": 0.5}, {"filter": "brightness", "amount": -0.3}, {"filter": "gamma", "gamma": 2}, {"filter": "brightness", "id": "up", "amount": 0.3}"#,
      PointFormulas.chain([
        PointFormulas.vibrance(0.5), PointFormulas.brightness(-0.3), PointFormulas.gamma(2),
        PointFormulas.brightness(0.3),
      ])),
    Case(
      #"{"filter": "exposure", "stops": 2}, {"filter": "blackAndWhite", "intensity": 0.5}, {"filter": "exposure", "id": "back", "stops": -2}, {"filter": "invert"}, {"filter": "contrast", "amount": -0.3}, {"filter": "hue", "angle": 45}"#,
      PointFormulas.chain([
        PointFormulas.exposure(2), PointFormulas.blackAndWhite(0.5, [0.2126, 0.7152, 0.0722]),
        PointFormulas.exposure(-2), PointFormulas.invert(), PointFormulas.contrast(-0.3),
        PointFormulas.hue(45),
      ])),
    Case(
      #"{"filter": "vignette", "intensity": 0.6, "opacity": 0.5}, {"filter": "contrast", "amount": 0.7, "opacity": 0.3}, {"filter": "saturation", "amount": 0.4, "opacity": 0.8}, {"filter": "levels", "black": 0.15, "gamma": 2, "opacity": 0.25}"#,
      PointFormulas.chain([
        PointFormulas.faded(PointFormulas.vignette(0.6, radius: 0.5, falloff: 0.7), 0.5),
        PointFormulas.faded(PointFormulas.contrast(0.7), 0.3),
        PointFormulas.faded(PointFormulas.saturation(0.4), 0.8),
        PointFormulas.faded(PointFormulas.levels(0.15, 1, 2), 0.25),
      ])),
    Case(
      #"{"filter": "saturation", "amount": 1}, {"filter": "brightness", "amount": 0.3}, {"filter": "contrast", "amount": 0.4}"#,
      PointFormulas.chain([
        PointFormulas.saturation(1), PointFormulas.brightness(0.3), PointFormulas.contrast(0.4),
      ])),
    Case(
      #"{"filter": "sepia", "intensity": 0.5}, {"filter": "exposure", "stops": 4}, {"filter": "contrast", "amount": 0.2}, {"filter": "exposure", "id": "back", "stops": -4}"#,
      PointFormulas.chain([
        PointFormulas.sepia(0.5), PointFormulas.exposure(4), PointFormulas.contrast(0.2),
        PointFormulas.exposure(-4),
      ])),
  ]

  @Test(arguments: single + chains)
  func eightBits(_ test: Case) throws {
    let worst = try worst(test, Self.chart(maximum: 255), "8")
    #expect(worst <= 1.001, "off by \(worst) of 255")
  }

  @Test(arguments: single + chains)
  func sixteenBits(_ test: Case) throws {
    let worst = try worst(test, Self.chart(maximum: 65_535), "16")
    #expect(worst <= 4.001, "off by \(worst) of 65535")
  }

  @Test func whiteBalanceAgreesWithColourScience() throws {
    for row in try Self.table("white-balance.txt") {
      let filters =
        #"[{"filter": "whiteBalance", "temperature": \#(row[0]), "tint": \#(row[1])}]"#
      try Self.compare(row.dropFirst(2).compactMap { Double($0) }, filters, within: 0.0025)
    }
  }

  @Test func oklabFiltersAgreeWithColourScience() throws {
    for row in try Self.table("oklab.txt") {
      let setting = row[0] == "hue" ? "angle" : "amount"
      let filters = #"[{"filter": "\#(row[0])", "\#(setting)": \#(row[1])}]"#
      try Self.compare(row.dropFirst(2).compactMap { Double($0) }, filters, within: 0.0015)
    }
  }

  private static func table(_ name: String) throws -> [[String]] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try String(
      contentsOf: folder.appending(path: "../Oracles/\(name)"), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    return rows.map { $0.split(separator: " ").map(String.init) }
  }

  /// Renders the display-encoded pixel that `numbers` begin with; what it should become follows.
  private static func compare(
    _ numbers: [Double], _ filters: String, within tolerance: Double
  ) throws {
    let pixel = numbers.prefix(3).map { Int(($0 * 65_535).rounded()) }
    let photo = try Samples.flat(pixel, 2, 2, maximum: 65_535).file()
    let result = try Samples(file: Studio.develop(photo, filters))[1, 1]
    for (value, wanted) in zip(result, numbers.suffix(3)) {
      let difference = abs(Double(value) / 65_535 - min(1, max(0, wanted)))
      #expect(difference < tolerance, "\(filters) on \(numbers): \(result)")
    }
  }

  /// A cube of 17³ colours, its corners, near-greys and random ones.
  static func chart(maximum: Int) -> Samples {
    var random = SeededGenerator(seed: 7)
    var values: [Int] = []
    for r in 0...16 {
      for g in 0...16 {
        for b in 0...16 { values += [r, g, b].map { $0 * maximum / 16 } }
      }
    }
    for level in 0...255 { values += Array(repeating: level * maximum / 255, count: 3) }
    for level in 0...255 { values += [level * maximum / 255, 0, maximum] }
    while values.count < 3 * 90 * 100 { values.append(Int.random(in: 0...maximum, using: &random)) }
    return Samples(width: 100, height: 90, bands: 3, maximum: maximum, values: values)
  }

  /// The largest difference from the formula, in levels; half a level of it is rounding.
  ///
  /// Single precision moves a value by some millionths before a step that may be as steep as a root
  /// at its black point, so the formula's values for so small a move count as right.
  private func worst(_ test: Case, _ chart: Samples, _ depth: String) throws -> Double {
    let file = try Studio.develop(
      chart.file(), test.filters, output: #""format": "png", "bitDepth": "\#(depth)""#)
    let result = try Samples(file: file)
    try #require(result.maximum == chart.maximum && result.bands == 3)
    let full = Double(chart.maximum)
    var worst = 0.0
    for y in 0..<chart.height {
      for x in 0..<chart.width {
        let place = (
          x: (Double(x) + 0.5) / Double(chart.width), y: (Double(y) + 0.5) / Double(chart.height)
        )
        let pixel = chart[x, y].map { Double($0) / full }
        let wanted = [-2e-6, 0, 2e-6].map { move in
          test.formula(pixel.map { $0 + move }, place).map { min(1, max(0, $0)) * full }
        }
        for (channel, value) in result[x, y].map(Double.init).enumerated() {
          let exact = wanted.map { $0[channel] }
          worst = max(worst, (exact.min() ?? 0) - value, value - (exact.max() ?? 0))
        }
      }
    }
    return worst
  }
}
