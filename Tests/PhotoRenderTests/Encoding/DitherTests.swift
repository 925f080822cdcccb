import TestSupport
import Testing

/// Dither during the conversion to 8 bits, in whole renders.
@Suite struct DitherTests {
  private static func developed(
    _ photo: Samples, _ filters: String, output: String
  ) throws -> Samples {
    try Samples(file: Studio.develop(photo.file(), "[\(filters)]", output: output))
  }

  /// A ramp over two 8-bit levels.
  ///
  /// Its local means follow the ramp only with dither.
  @Test func ditherKeepsMeansOfA16BitRamp() throws {
    let width = 512
    let values = (0..<64 * width).flatMap { index -> [Int] in
      let level = 257 * 100 + 514 * (index % width) / width
      return [level, level, level]
    }
    let photo = Samples(width: width, height: 64, bands: 3, maximum: 65_535, values: values)
    let output = #""format": "png", "bitDepth": 8"#
    func worst(_ result: Samples) -> Double {
      (0..<16).map { block -> Double in
        var (found, wanted) = (0.0, 0.0)
        for y in 0..<64 {
          for x in (block * 32)..<(block * 32 + 32) {
            found += Double(result[x, y, 1])
            wanted += Double(photo[x, y, 1]) / 257
          }
        }
        return abs(found - wanted) / 2048
      }.max() ?? 0
    }
    let plain = try Self.developed(photo, "", output: output + #", "dither": false"#)
    let dithered = try Self.developed(photo, "", output: output)
    #expect(worst(plain) > 0.3)
    #expect(worst(dithered) < 0.05)
    #expect(dithered.maximum == 255)
    #expect(try Self.developed(photo, "", output: output + #", "dither": true"#) == dithered)
  }

  /// Photos of 8 bits and encoders with a palette get no noise without `dither`.
  @Test func photosWithEightBitsAreNotDitheredByDefault() throws {
    let output = #""format": "png", "bitDepth": 8"#
    let blurred = #"{"filter": "exposure", "stops": 0.3}, {"filter": "blur", "radius": 2}"#
    for (photo, output) in [
      (Samples.noise(64, 48), output),
      (.noise(64, 48, maximum: 65_535), #""format": "png", "palette": true, "errorDiffusion": 0"#),
    ] {
      let plain = try Self.developed(photo, blurred, output: output + #", "dither": false"#)
      #expect(try Self.developed(photo, blurred, output: output) == plain)
    }
  }

  /// The noise depends on the position only, so any number of threads gives the same bytes.
  @Test func theDitherNoiseDoesNotDependOnThreads() throws {
    let photo = try Samples.noise(700, 600, maximum: 65_535).file()
    let recipe = try Studio.recipe(
      #"[{"filter": "exposure", "stops": -1}]"#, output: #""format": "png", "bitDepth": 8"#)
    let single = try Studio.render(photo, recipe).files
    let several = try Concurrency.using(4) { try Studio.render(photo, recipe).files }
    #expect(single == several)
  }

  @Test func unchangedPhotosAndSixteenBitOutputsAreNotDithered() throws {
    let photo = Samples.flat([90, 128, 200], 40, 30)
    let output = #""format": "png", "dither": true"#
    #expect(try Self.developed(photo, "", output: output) == photo)
    let deep = Samples.flat([9000, 12_800, 20_000], 40, 30, maximum: 65_535)
    #expect(try Self.developed(deep, "", output: output) == deep)
    let white = Samples.flat([0, 128, 255], 40, 30)
    let edited = try Self.developed(
      white, #"{"filter": "gamma", "gamma": 1.1}"#, output: output)
    #expect(edited.values.enumerated().allSatisfy { $0.offset % 3 == 1 || $0.element % 255 == 0 })
  }
}
