import PhotoRecipes
import TestSupport
import Testing

/// Applies a single filter to pictures that a test creates.
///
/// Settings are members of a JSON object, without its braces.
extension Filter {
  static func step(_ settings: String) -> String {
    #"{"filter": "\#(name)"\#(settings.isEmpty ? "" : ", ")\#(settings)}"#
  }

  static func applied(
    to photo: Samples, _ settings: String = "", files: [String: [UInt8]] = [:]
  ) throws -> Samples {
    try Samples(file: Studio.develop(photo.file(), "[\(step(settings))]", files: files))
  }

  /// The results for display-encoded colours, which are side by side in a 16-bit picture.
  static func applied(
    toColours colours: [[Double]], _ settings: String = ""
  ) throws -> [[Double]] {
    let values = colours.joined().map { Int(($0 * 65_535).rounded()) }
    let row = Samples(
      width: colours.count, height: 1, bands: 3, maximum: 65_535, values: values)
    let result = try applied(to: row, settings)
    try #require(result.width == colours.count && result.bands == 3 && result.maximum == 65_535)
    return (0..<result.width).map { x in result[x, 0].map { Double($0) / 65_535 } }
  }

  /// The green channel of the results for greys, which are side by side in a 16-bit picture.
  static func applied(toGreys greys: [Double], _ settings: String = "") throws -> [Double] {
    try applied(toColours: greys.map { [$0, $0, $0] }, settings).map { $0[1] }
  }

  /// The result for a grey that fills a 16-bit picture: the green channel in the middle.
  static func applied(toFlat grey: Double, _ settings: String = "") throws -> Double {
    let level = Int((grey * 65_535).rounded())
    let result = try applied(
      to: .flat([level, level, level], 24, 16, maximum: 65_535), settings)
    return Double(result[12, 8, 1]) / 65_535
  }

  /// Expects that the filter does not change the file.
  static func expectNoChange(
    _ settings: String, to photo: Samples = .noise(40, 30, bands: 4)
  ) throws {
    let file = try photo.file()
    #expect(try Studio.develop(file, "[\(step(settings))]") == Studio.develop(file, "[]"))
  }

  /// Expects that the filter gives the same result for `PointChart` as the formula.
  static func expect(_ settings: String, _ formula: PointFormulas.Formula) throws {
    try PointChart.expect("[\(step(settings))]", formula)
  }

  /// Expects that a recipe with these settings is refused with an error that contains these words.
  static func expectRefusal(of settings: String, _ words: String) {
    do {
      _ = try Studio.recipe("[\(step(settings))]")
      Issue.record("\(settings) was taken")
    } catch {
      #expect("\(error)".contains(words), "\(error)")
    }
  }
}

extension [Double] {
  func isNear(_ other: [Double], within tolerance: Double = 0.0001) -> Bool {
    count == other.count && zip(self, other).allSatisfy { abs($0 - $1) <= tolerance }
  }
}
