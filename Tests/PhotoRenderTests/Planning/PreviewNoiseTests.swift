import Foundation
import PhotoRecipes
import TestSupport
import Testing
import Vips

/// Previews of photos with noise or grain show the noise as it looks after the reduction to their
/// size.
@Suite struct PreviewNoiseTests {
  private static let noisy = Result<[UInt8], any Error> {
    try SyntheticPhoto.bytes(
      Samples.noisyShapes(1200, 900).image(), "jpegsave_target",
      ["Q": .integer(95), "subsample-mode": .choice("off")])
  }

  @Test(
    arguments: [
      #"[{"filter": "sepia"}]"#, #"[{"filter": "denoise"}]"#,
      #"[{"filter": "denoise", "luma": 1, "chroma": 1}, {"filter": "contrast", "amount": 0.5}]"#,
      #"[{"filter": "grain", "amount": 0.5}, {"filter": "contrast", "amount": 0.5}]"#,
      #"[{"filter": "grain", "amount": 1}]"#, #"[{"filter": "grain", "amount": 0.5, "size": 4}]"#,
    ], [300, 480])
  func noiseInAPreviewLooksLikeNoiseInTheFullRendering(_ filters: String, _ edge: Int) throws {
    let difference = try PreviewTests.difference(Self.noisy.get(), filters, longEdge: edge)
    #expect(difference <= 1, "\(filters) at \(edge): mean CIEDE2000 \(difference)")
  }

  /// The radius of a median is a whole number of pixels, so its preview is only approximate.
  @Test(arguments: [300, 480]) func thePreviewOfAMedianIsCloseToTheFullRendering(_ edge: Int) throws
  {
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
  func previewsOfANoisyPhotoLookLikeTheFullRendering(_ filters: String) throws {
    let difference = try PreviewTests.difference("metadata-extractor/Nikon D40.jpg", filters)
    #expect(difference <= 1, "\(filters): mean CIEDE2000 \(difference)")
  }
}
