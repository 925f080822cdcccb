import Foundation
import Testing

@testable import PhotoRecipes

/// The picture of `Tests/Oracles/measured-tables.py`, and the values that this script computed from
/// it.
enum MeasuredPicture {
  static let size = Size(64, 48)

  static func level(_ x: Int, _ y: Int, _ c: Int) -> Int {
    let edge = x < 32 ? 40 : 150
    let noise: Int = (x * 7 + y * 13 + c * 29) % 31
    let more: Int = (x * y + c * 17) % 19
    return min(255, edge + noise + more * 2 + y / 2)
  }

  static let pixels = (0..<size.pixels).map { place in
    let levels = (0..<3).map { Float(level(place % 64, place / 64, $0)) }
    return SIMD3<Float>(levels[0], levels[1], levels[2]) / 255
  }

  /// The weight of each pixel in the results that are named `weighted`.
  static let weights = (0..<size.pixels).map { place in
    let step: Int = (place % 64 + 2 * (place / 64)) % 5
    return Float(step) / 4
  }

  /// The picture, each pixel repeated `enlarged` times in both directions.
  static func view(alpha: [Float]? = nil, enlarged: Int = 1) -> PhotoView {
    let large = Size(size.width * enlarged, size.height * enlarged)
    let places = (0..<large.pixels).map { place in
      place / large.width / enlarged * size.width + place % large.width / enlarged
    }
    return PhotoView(
      size: large, full: large, pixels: places.map { pixels[$0] },
      alpha: alpha.map { alpha in places.map { alpha[$0] } })
  }

  /// Compares a map of curves with the lines of `bases.txt` that begin with `name`: the place, and
  /// the curve's values for the lumas 0, 0.25, 0.5, 0.75 and 1.
  static func expect(_ map: MapValues, toBe name: String, within tolerance: Double) throws {
    let rows = try rows(name, of: "bases.txt")
    #expect(rows.count > 60)
    for row in rows {
      let place = Int(row[1]) * map.size.width + Int(row[0])
      for (index, wanted) in row.dropFirst(2).enumerated() {
        let found = value(of: map, at: place, Double(index) / 4)
        #expect(abs(found - wanted) < tolerance, "\(name) at \(row): \(found) for \(index) / 4")
      }
    }
  }

  /// The value for a luma of the curve at a place of a map.
  static func value(of map: MapValues, at place: Int, _ luma: Double) -> Double {
    let position = luma * Double(map.bands - 1)
    let knot = min(map.bands - 2, Int(position))
    let start = place * map.bands + knot
    let (low, high) = (Double(map.values[start]), Double(map.values[start + 1]))
    return low + (position - Double(knot)) * (high - low)
  }

  /// The values in the lines that begin with `name`.
  static func rows(_ name: String, of file: String) throws -> [[Double]] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try String(
      contentsOf: folder.appending(path: "../../Oracles/\(file)"), encoding: .utf8)
    let rows: [[Substring]] = text.split(separator: "\n").map { $0.split(separator: " ") }
    return rows.filter { $0[0] == name }.map { row in row.dropFirst().compactMap { Double($0) } }
  }
}
