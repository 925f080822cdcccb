import PhotoRecipes
import TestSupport
import Testing

/// The filter removes noise and keeps edges.
@Suite struct DenoiseTests {
  /// The noise has a standard deviation of 10 levels of 255, which matches a strength of 0.4.
  ///
  /// `detail` keeps structures that may be noise.
  @Test func denoisingRemovesGreyNoise() throws {
    let photo = Samples.grain(around: 0.5, deviation: 10.0 / 255, 200, 120)
    let found = try Denoise.applied(to: photo, #""luma": 0.4, "chroma": 0.4, "detail": 0"#)
    #expect(found.deviation < 0.25 * photo.deviation, "\(found.deviation)")
    #expect(abs(found.mean - photo.mean) < 0.002)
    let kept = try Denoise.applied(to: photo, #""luma": 0.4, "chroma": 0.4, "detail": 1"#)
    #expect(kept.deviation > found.deviation)
  }

  @Test func denoisingKeepsEdges() throws {
    let photo = Samples.edge(0.2, 0.8, 120, 80)
    let found = try Denoise.applied(to: photo, #""luma": 0.3, "chroma": 0.3"#)
    for (x, wanted) in [(40, 0.2), (58, 0.2), (61, 0.8), (80, 0.8)] {
      #expect(abs(Double(found[x, 40, 1]) / 65_535 - wanted) < 0.01, "\(x): \(found[x, 40])")
    }
  }

  /// The noise is chroma noise: values that are added to red are subtracted from blue.
  ///
  /// Denoising luma keeps this noise; denoising chroma removes it.
  @Test func chromaNoiseIsRemovedOnlyByTheChromaSetting() throws {
    let grey = Samples.grain(around: 0, deviation: 0.05, 160, 100)
    let photo = Samples(160, 100, maximum: 65_535) { x, y in
      let noise = grey[x, y, 0]
      return [32_768 + noise * 2, 32_768, 32_768 - noise * 2]
    }
    let bright = try Denoise.applied(to: photo, #""luma": 0.5, "chroma": 0"#)
    let coloured = try Denoise.applied(to: photo, #""luma": 0, "chroma": 0.8"#)
    #expect(bright.deviation > 0.99 * photo.deviation)
    #expect(coloured.deviation < 0.5 * photo.deviation)
    try Denoise.expectNoChange(#""luma": 0, "chroma": 0"#)
  }
}
