import Foundation
import TestSupport
import Testing

/// The picture of `Tests/Oracles/measured-tables.py` in grey, and the results of other programs for
/// this picture.
enum EqualizedScene {
  private static func photo(scale: Int) -> Samples {
    Samples(64 * scale, 48 * scale) { column, row in
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

  /// Compares the result of a step with the table rows called `name`; values and tolerances are in
  /// 0…1.
  static func compare(
    _ name: String, _ step: String, scale: Int, worst: Double, mean: Double
  ) throws {
    let rows = try OracleFile.rows("measured.txt").filter { $0.first == name }
      .map { $0.dropFirst().compactMap { Double($0) } }
    #expect(rows.count > 60)
    let found = try Samples(file: Studio.develop(photo(scale: scale).file(), "[\(step)]"))
    let errors = rows.map { row in
      let place = row.prefix(2).map { Int($0) * scale + scale / 2 }
      return abs(Double(found[place[0], place[1]][1]) / 255 - row[2])
    }
    #expect(errors.reduce(0, max) < worst, "\(name)")
    #expect(errors.reduce(0, +) / Double(errors.count) < mean, "\(name)")
  }
}
