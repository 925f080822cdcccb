import Foundation
import Testing

/// `clahe` against OpenCV and `equalize` against scikit-image; see `Tests/Oracles`.
@Suite struct EqualizeTests {
  /// The luma of the picture of `Tests/Oracles/measured-tables.py`, as a grey photo.
  private static func photo(scale: Int) -> Samples {
    let values = (0..<48 * scale).flatMap { row in
      (0..<64 * scale).flatMap { column -> [Int] in
        let (x, y) = (column / scale, row / scale)
        let levels = (0..<3).map { c in
          let edge = x < 32 ? 40 : 150
          let noise: Int = (x * 7 + y * 13 + c * 29) % 31
          let more: Int = (x * y + c * 17) % 19
          return Double(min(255, edge + noise + more * 2 + y / 2))
        }
        let luma = 0.2126 * levels[0] + 0.7152 * levels[1] + 0.0722 * levels[2]
        return Array(repeating: Int(luma.rounded()), count: 3)
      }
    }
    return Samples(width: 64 * scale, height: 48 * scale, bands: 3, maximum: 255, values: values)
  }

  private func compare(
    _ name: String, _ filters: String, scale: Int, worst: Double, mean: Double
  ) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try String(
      contentsOf: folder.appending(path: "../Oracles/measured.txt"), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("\(name) ") }
      .map { $0.split(separator: " ").dropFirst().compactMap { Double($0) } }
    #expect(rows.count > 60)
    let found = try Samples(file: Studio.develop(Self.photo(scale: scale).file(), filters))
    let errors = rows.map { row in
      let place = row.prefix(2).map { Int($0) * scale + scale / 2 }
      return abs(Double(found[place[0], place[1]][1]) / 255 - row[2])
    }
    #expect(errors.reduce(0, max) < worst, "\(name)")
    #expect(errors.reduce(0, +) / Double(errors.count) < mean, "\(name)")
  }

  /// OpenCV takes the sum up to a step's end where we take its middle.
  @Test func claheIsThatOfOpenCV() throws {
    try compare(
      "clahe", #"[{"filter": "clahe", "tiles": 4, "clipLimit": 4}]"#, scale: 8, worst: 0.02,
      mean: 0.008)
  }

  /// scikit-image interpolates between the middles of steps.
  @Test func equalizeIsThatOfScikitImage() throws {
    try compare("equalize", #"[{"filter": "equalize"}]"#, scale: 1, worst: 0.015, mean: 0.008)
  }
}
