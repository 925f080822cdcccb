import Foundation
import PhotoRecipes
import Synchronization
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Lossy files with alpha: the colours of transparent pixels are filled from visible ones.
@Suite struct TransparentColourTests {
  /// A light disc with a soft edge and a hole; transparent pixels have the colour `hidden`.
  private static func ring(hidden: [Int], bands: Int = 4) -> Samples {
    Samples(120, 90) { x, y in
      let distance = hypot(Double(x) - 59.5, Double(y) - 44.5)
      let alpha = Int((255 * min(1, max(0, min(40 - distance, distance - 8)))).rounded())
      let colour = alpha > 0 ? [245, 240 - x / 4, 230] : hidden
      return Array(colour.prefix(bands - 1)) + [alpha]
    }
  }

  private static func file(_ photo: Samples, _ output: String) throws -> [UInt8] {
    try Studio.develop(photo.file(), "[]", output: output)
  }

  @Test(arguments: [
    #""avif""#, #""avif", "subsampling": "4:4:4""#, #""avif", "bitDepth": "10""#,
    #""avif", "profile": "grey""#, #""heic""#, #""heic", "bitDepth": "10""#, #""webp""#,
    #""webp", "profile": "grey""#,
  ])
  func theColoursOfTransparentPixelsDoNotChangeTheFile(_ format: String) throws {
    let output = #""format": \#(format), "quality": 50"#
    let dark = try Self.file(Self.ring(hidden: [0, 0, 0]), output)
    #expect(try Self.file(Self.ring(hidden: [255, 0, 200]), output) == dark)
  }

  private static let formats = ["avif", "heic", "webp"]

  @Test(arguments: formats) func edgesBesideTransparentPixelsKeepTheirColours(
    _ format: String
  ) throws {
    let photo = Self.ring(hidden: [0, 0, 0])
    let result = try Samples(file: Self.file(photo, #""format": "\#(format)", "quality": 50"#))
    var worst = 0
    for place in 0..<120 * 90 {
      let (wanted, found) = (photo[place % 120, place / 120], result[place % 120, place / 120])
      if wanted[3] < 128 { continue }
      for c in 0..<3 { worst = max(worst, abs(wanted[c] - found[c])) }
    }
    #expect(worst <= 12, "off by \(worst)")
  }

  /// A file with transparent surroundings stored in black takes no more bytes than one stored in a
  /// colour like the disc's, because transparent colours are replaced.
  ///
  /// Otherwise, the edge of the black surroundings would take as many bytes as the disc itself.
  @Test(arguments: formats) func edgesBesideTransparentPixelsNeedNoExtraBytes(
    _ format: String
  ) throws {
    let output = #""format": "\#(format)", "quality": 50"#
    let cut = try Self.file(Self.ring(hidden: [0, 0, 0]), output)
    let light = try Self.file(Self.ring(hidden: [245, 225, 230]), output)
    #expect(cut.count <= light.count)
  }

  /// Each frame of an animation is filled; the transparent pixels of the input file are black.
  @Test func framesOfAnAnimationKeepTheColoursOfTheirEdges() throws {
    let ring = Self.ring(hidden: [0, 0, 0])
    let values = Array(repeating: ring.values, count: 3).joined().enumerated().map { index, value in
      // The frames differ from each other; otherwise the encoder could merge equal frames.
      index % 4 == 2 && value == 230 ? value - 40 * (index / ring.values.count) : value
    }
    let photo = Samples(width: 120, height: 270, bands: 4, maximum: 255, values: values)
    let frames = try photo.image().setting([
      "page-height": .integer(90), "delay": .integers([100, 200, 300]), "loop": .integer(3),
    ])
    let file = try SyntheticPhoto.bytes(frames, "webpsave_target", ["lossless": .flag(true)])
    let recipe = try Studio.recipe(
      text: #"""
        {"identifier": "org.example.test", "version": "1.0.0", "inputs": {"frames": "all"},
         "filters": [], "outputs": [{"name": "out", "format": "webp", "quality": 50}]}
        """#)
    let made = try #require(Studio.render(file, recipe).files["out"])
    let result = try Samples(Image.load(from: Source(bytes: made), ["n": .integer(-1)]))
    try #require(result.height == 270)
    var worst = 0
    for place in 0..<120 * 270 {
      let (wanted, found) = (photo[place % 120, place / 120], result[place % 120, place / 120])
      if wanted[3] < 128 { continue }
      for c in 0..<3 { worst = max(worst, abs(wanted[c] - found[c])) }
    }
    #expect(worst <= 12, "off by \(worst)")
  }

  /// While a picture is encoded whose transparent pixels are filled, the encoder reports its
  /// progress and can be cancelled.
  @Test func encodingWithFilledPixelsReportsProgressAndCanBeCancelled() throws {
    let heard = Mutex(0)
    let monitor = Monitor { _ in heard.withLock { $0 += 1 } }
    let recipe = try Studio.recipe("[]", output: #""format": "webp""#)
    let output = try #require(recipe.outputs.first)
    let header = try Renderer.header(of: .bytes(SyntheticPhoto.jpeg(width: 8, height: 8)))
    let colour = try OutputColour(output, SourceColour(header), header, files: [:])
    let photo = try Samples.flat([9, 9, 9, 0], 900, 900).image().monitored(monitor)
    let filled = try Encoder(output: output, colour: colour, depth: 8).filled(photo)
    let before = heard.withLock { $0 }
    _ = try filled.applying("invert").pixels()
    #expect(heard.withLock { $0 } > before)
    monitor.cancel()
    #expect(throws: VipsError.cancelled) { try filled.pixels() }
  }

  @Test func losslessFilesKeepTheColoursOfTransparentPixels() throws {
    let photo = Self.ring(hidden: [255, 0, 200])
    let result = try Samples(file: Self.file(photo, #""format": "avif", "lossless": true"#))
    #expect(result[0, 0] == [255, 0, 200, 0])
  }

  /// If no pixel is visible, there is no colour to fill from, and the picture is still written.
  @Test(arguments: formats) func fullyTransparentPicturesAreWritten(_ format: String) throws {
    for (width, height) in [(1, 1), (33, 17)] {
      let photo = Samples.flat([10, 200, 90, 0], width, height)
      let result = try Samples(file: Self.file(photo, #""format": "\#(format)""#))
      #expect(result.width == width && result[0, 0, 3] == 0)
    }
  }
}
