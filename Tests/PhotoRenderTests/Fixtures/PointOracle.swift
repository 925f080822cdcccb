import PhotoRecipes
import TestSupport
import Testing

/// The table that `Tests/Oracles/point-formulas.py` writes: filters, and their results for a chart.
struct PointOracle {
  struct Case: CustomTestStringConvertible, Sendable {
    /// The filter and its settings, as a JSON object.
    let step: String
    /// 16-bit results for each pixel.
    ///
    /// A result is a range of levels where the formula is so steep that a change of its input by a
    /// millionth gives another level.
    let results: [[ClosedRange<Int>]]
    /// The results for the chart after its values were stretched to −0.5…1.5, scaled by a quarter
    /// so that they fit into 0…1.
    let wideResults: [[ClosedRange<Int>]]

    var testDescription: String { step }

    var name: String { step.split(separator: "\"").dropFirst(3).first.map(String.init) ?? "" }

    static let spread =
      #"{"filter": "matrix", "id": "spread", "values": "encoded", "rows": [[2, 0, 0, -0.5], [0, 2, 0, -0.5], [0, 0, 2, -0.5]]}"#
    static let back =
      #"{"filter": "matrix", "id": "back", "values": "encoded", "rows": [[0.25, 0, 0, 0.375], [0, 0.25, 0, 0.375], [0, 0, 0.25, 0.375]]}"#
  }

  /// The pixels, as levels of 255.
  let chart: [[Int]]
  let cases: [Case]

  static let table = Result { try PointOracle() }

  /// The cases of one filter.
  static func cases<F: Filter>(of type: F.Type) -> [Case] {
    ((try? table.get().cases) ?? []).filter { $0.name == type.name }
  }

  private init() throws {
    let lines = try OracleFile.lines("point-filters.txt")
    chart = lines[0].parts(of: 6).map { $0.parts(of: 2).compactMap { Int($0, radix: 16) } }
    cases = stride(from: 1, to: lines.count, by: 3).map { index in
      Case(
        step: lines[index], results: Self.results(lines[index + 1]),
        wideResults: Self.results(lines[index + 2]))
    }
  }

  private static func results(_ line: String) -> [[ClosedRange<Int>]] {
    line.split(separator: " ").map { pixel in
      let values = String(pixel).parts(of: 4).compactMap { Int($0, radix: 16) }
      return zip(values.prefix(3), values.suffix(3)).map { $0...$1 }
    }
  }

  /// The chart as a picture with one row.
  func samples(maximum: Int) -> Samples {
    Samples(
      width: chart.count, height: 1, bands: 3, maximum: maximum,
      values: chart.joined().map { $0 * (maximum / 255) })
  }
}

extension PointOracle.Case {
  /// Expects the formula's results for the chart: within one level in 8 bits and within four levels
  /// in 16 bits, also for colours out of gamut.
  func expectFormula() throws {
    let eight = try worst("[\(step)]", results, maximum: 255)
    #expect(eight <= 257, "off by \(eight) of 65535 at 8 bits")
    let sixteen = try worst("[\(step)]", results, maximum: 65_535)
    #expect(sixteen <= 4, "off by \(sixteen) of 65535 at 16 bits")
    // At a quarter of the scale, the bound of 4 levels becomes one level; the rounding of both
    // results adds another level.
    let wide = try worst("[\(Self.spread), \(step), \(Self.back)]", wideResults, maximum: 65_535)
    #expect(wide <= 2, "off by \(wide) of 65535 at a quarter out of gamut")
  }

  /// The largest difference, in 16-bit levels.
  private func worst(
    _ filters: String, _ wanted: [[ClosedRange<Int>]], maximum: Int
  ) throws -> Int {
    let table = try PointOracle.table.get()
    let bits = maximum == 255 ? 8 : 16
    let file = try Studio.develop(
      table.samples(maximum: maximum).file(), filters,
      output: #""format": "png", "bitDepth": "\#(bits)""#)
    let result = try Samples(file: file)
    try #require(result.maximum == maximum && result.width == wanted.count)
    var worst = 0
    for (x, pixel) in wanted.enumerated() {
      for (value, exact) in zip(result[x, 0], pixel) {
        let level = value * (65_535 / maximum)
        worst = max(worst, exact.lowerBound - level, level - exact.upperBound)
      }
    }
    return worst
  }
}

extension String {
  fileprivate func parts(of length: Int) -> [String] {
    let characters = Array(self)
    return stride(from: 0, to: characters.count, by: length).map {
      String(characters[$0..<min($0 + length, characters.count)])
    }
  }
}
