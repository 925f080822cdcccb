import Foundation
import Testing

/// The table that `Tests/Oracles/point-formulas.py` writes: filters, and what they make of a chart.
struct PointOracle {
  struct Case: CustomTestStringConvertible, Sendable {
    /// The filter and its settings, a JSON object.
    let step: String
    /// 16-bit samples, by pixel: ranges where the formula is so steep that a millionth of its input
    /// makes another level.
    let results: [[ClosedRange<Int>]]
    /// The same for the chart spread over −0.5…1.5, brought back by a quarter.
    let wideResults: [[ClosedRange<Int>]]

    var testDescription: String { step }

    /// The filter's name.
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

  private init() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try String(
      contentsOf: folder.appending(path: "../Oracles/point-filters.txt"), encoding: .utf8)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
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

  /// The chart as a picture of one row.
  func samples(maximum: Int) -> Samples {
    Samples(
      width: chart.count, height: 1, bands: 3, maximum: maximum,
      values: chart.joined().map { $0 * (maximum / 255) })
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
