import Foundation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

/// Previews of what is noisy, or made so, show what is left of the noise at their size.
@Suite struct PreviewNoiseTests {
  /// A photo of a camera at high sensitivity: smooth shapes, and noise of 8 levels, more in the
  /// colours than in the light.
  private static let noisy = Result<[UInt8], any Error> {
    let (width, height) = (1200, 900)
    var random = SeededGenerator(seed: 31)
    func normal(_ deviation: Double) -> Double {
      (0..<4).reduce(0) { sum, _ in sum + Double.random(in: -1...1, using: &random) } * deviation
        / 1.1547
    }
    var values: [Int] = []
    for y in 0..<height {
      for x in 0..<width {
        let shape = sin(Double(x) / 40) * cos(Double(y) / 55) > 0.3 ? 60.0 : 0
        let light = 40 + 110 * Double(y) / Double(height) + shape + normal(8)
        let colour = [30 * sin(Double(x) / 200), 0, -30 * sin(Double(y) / 170)]
        values += colour.map { Int(min(255, max(0, light + $0 + normal(6))).rounded()) }
      }
    }
    return try SyntheticPhoto.bytes(
      Samples(width: width, height: height, bands: 3, maximum: 255, values: values).image(),
      "jpegsave_target", ["Q": .integer(95), "subsample-mode": .choice("off")])
  }

  @Test(
    arguments: [
      #"[{"filter": "sepia"}]"#, #"[{"filter": "denoise"}]"#,
      #"[{"filter": "denoise", "luma": 1, "chroma": 1}, {"filter": "contrast", "amount": 0.5}]"#,
      #"[{"filter": "grain", "amount": 0.5}, {"filter": "contrast", "amount": 0.5}]"#,
      #"[{"filter": "grain", "amount": 1}]"#, #"[{"filter": "grain", "amount": 0.5, "size": 4}]"#,
    ], [300, 480])
  func noiseLooksLikeThatOfTheWhole(_ filters: String, _ edge: Int) throws {
    let difference = try PreviewTests.difference(Self.noisy.get(), filters, longEdge: edge)
    #expect(difference <= 1, "\(filters) at \(edge): mean CIEDE2000 \(difference)")
  }

  /// A median's radius is in whole pixels, so that its preview comes only close.
  @Test(arguments: [300, 480]) func mediansComeClose(_ edge: Int) throws {
    let difference = try PreviewTests.difference(
      Self.noisy.get(), #"[{"filter": "median", "radius": 3}]"#, longEdge: edge)
    #expect(difference <= 1.2, "at \(edge): mean CIEDE2000 \(difference)")
  }

  @Test(
    .enabled(if: Corpus.isHere),
    arguments: [
      #"[{"filter": "grain", "amount": 1}]"#, #"[{"filter": "grain", "amount": 0.5, "size": 4}]"#,
      #"[{"filter": "denoise", "luma": 1, "chroma": 1}]"#,
    ])
  func photosShowTheirNoise(_ filters: String) throws {
    let difference = try PreviewTests.difference("metadata-extractor/Nikon D40.jpg", filters)
    #expect(difference <= 1, "\(filters): mean CIEDE2000 \(difference)")
  }
}
