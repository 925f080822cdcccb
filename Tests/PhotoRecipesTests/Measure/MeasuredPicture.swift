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

  static func view(alpha: [Float]? = nil) -> PhotoView {
    PhotoView(size: size, full: size, pixels: pixels, alpha: alpha)
  }

  /// Compares a map, which has the bands a and b, with the lines of `guided.txt` that begin with
  /// `name`.
  static func expect(_ map: MapValues, toBe name: String, within tolerance: Double = 2e-5) throws {
    let rows = try rows(name, of: "guided.txt")
    #expect(rows.count > 60)
    for row in rows {
      let place = 2 * (Int(row[1]) * 64 + Int(row[0]))
      #expect(abs(Double(map.values[place]) - row[2]) < tolerance, "\(name) a at \(row)")
      #expect(abs(Double(map.values[place + 1]) - row[3]) < tolerance, "\(name) b at \(row)")
    }
  }

  /// The values in the lines that begin with `name`.
  static func rows(_ name: String, of file: String) throws -> [[Double]] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try String(
      contentsOf: folder.appending(path: "../../Oracles/\(file)"), encoding: .utf8)
    return text.split(separator: "\n").map { $0.split(separator: " ") }
      .filter { $0.first == Substring(name) }.map { $0.dropFirst().compactMap { Double($0) } }
  }
}
