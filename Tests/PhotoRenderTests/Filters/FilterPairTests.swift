import Foundation
import Notation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

/// Pairs of filters that read neighbouring pixels, on a photo that is read row by row.
///
/// `PHBATCH_PAIRS=100` tries 100 pairs on a larger photo; `make soak` uses it.
@Suite struct FilterPairTests {
  private static let asked =
    ProcessInfo.processInfo.environment["PHBATCH_PAIRS"].flatMap { Int($0) }

  /// A photo that is larger in both directions than any cache of rows.
  private static let photo = Result {
    try SyntheticPhoto.bytes(
      asked == nil
        ? SyntheticPhoto.image(width: 4100, height: 1600)
        : SyntheticPhoto.image(width: 6000, height: 4000), "jpegsave_target", ["Q": .integer(80)])
  }

  private static let mark = Result { try Samples.flat([9, 99, 200, 160], 300, 200).file() }
  private static let look = Array(
    "LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n".utf8)

  /// The filters that read more than one pixel for each output pixel.
  private static let names = Catalog.filters.filter {
    [.geometry, .detail, .effect, .composite].contains($0.category) && $0.name != "external"
  }.map { $0.name }

  private static let pairs: [String] = {
    var random = SeededGenerator(seed: 2026)
    return (0..<(asked ?? 8)).map { _ in
      let steps = ["a", "b"].compactMap { id in
        names.randomElement(using: &random).flatMap { step($0, id, &random) }
      }
      return "[\(steps.joined(separator: ", "))]"
    }
  }()

  /// The example step of a filter; at random, half of the steps have an opacity of 0.5.
  private static func step(
    _ name: String, _ id: String, _ random: inout SeededGenerator
  ) -> String? {
    guard let type = Catalog.filter(named: name),
      var object = FilterDescription(type).example.object
    else { return nil }
    object["id"] = .string(id)
    if !type.changesFrame && Bool.random(using: &random) { object["opacity"] = .number(0.5) }
    if name == "border" { object["width"] = .integer(Int.random(in: 1...99, using: &random)) }
    return JSON.object(object).compactText
  }

  @Test(arguments: pairs) func anyPairOfNeighbourhoodFiltersRenders(_ filters: String) throws {
    let files = try [
      "watermark.png": Self.mark.get(), "evening.cube": Self.look, "depth.png": Self.mark.get(),
    ]
    let rendered = try Studio.develop(
      Self.photo.get(), filters, output: #""format": "jpeg", "quality": 50"#, files: files)
    #expect(rendered.count > 1000)
  }
}
