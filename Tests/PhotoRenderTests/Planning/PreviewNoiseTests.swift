import Foundation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

/// Previews of photos with noise or grain show the noise as it looks after the reduction to their
/// size.
@Suite struct PreviewNoiseTests {
  /// A simulated photo at high sensitivity: smooth shapes, with noise of 8 levels in all channels
  /// together and 6 levels in each channel.
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

  /// The radius of a median is a whole number of pixels, so its preview is only approximate.
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
