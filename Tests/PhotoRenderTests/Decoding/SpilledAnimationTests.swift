import Foundation
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Animations that do not fit into memory are written to temporary files.
@Suite struct SpilledAnimationTests {
  /// An animation whose frames have one pixel, on a screen of 2 megapixels.
  private static func animation(frames: Int) -> [UInt8] {
    let pixel: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
    let frame = [0x21, 0xF9, 4, 0, 2, 0, 0, 0] + pixel
    return Array("GIF89a".utf8) + [0xD0, 7, 0xE8, 3, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
      + (0..<frames).flatMap { _ in frame } + [0x3B]
  }

  private static func recipe(_ format: String) throws -> Recipe {
    try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "inputs": {"frames": "all"},
         "filters": [{"filter": "invert"}], "outputs": [{"name": "out", "format": "\(format)"}]}
        """)
  }

  /// 300 frames of 2 megapixels need more than a gigabyte in memory, but little memory if temporary
  /// files are used.
  @Test(arguments: ["gif", "webp"]) func anAnimationInTemporaryFilesNeedsLittleMemory(
    _ format: String
  ) throws {
    let file = PhotoFile.bytes(Self.animation(frames: 300))
    var limits = RenderLimits(wholePixels: 1_000_000_000, streamedPixels: 1_000_000_000)
    limits.frames = 300
    let renderer = Renderer(try Self.recipe(format), limits: limits)
    let needs = try renderer.plan(file).memory
    #expect(needs.usual > 1 << 30)
    #expect(needs.spilled < 300 << 20, "\(needs.spilled >> 20) MB")
    // A few small frames need no more memory with temporary files than without.
    let small = PhotoFile.bytes(Self.animation(frames: 2))
    let few = try renderer.plan(small).memory
    #expect(few.spilled <= few.usual)
  }

  @Test(arguments: ["gif", "webp"]) func anAnimationInTemporaryFilesGivesTheSameFrames(
    _ format: String
  ) throws {
    let photo = PhotoFile.bytes(Self.animation(frames: 4))
    let made = try [false, true].map { spills in
      var renderer = Renderer(try Self.recipe(format))
      renderer.spills = spills
      let handle = try #require(tmpfile())
      defer { fclose(handle) }
      _ = try renderer.render(photo, into: ["out": fileno(handle)])
      return try Studio.content(of: handle)
    }
    #expect(made[0] == made[1] && !made[0].isEmpty)
    // WebP merges identical frames into one, and so does GIF from libvips 8.16 on.
    let image = try Image.load(from: Source(bytes: made[1]), ["n": .integer(-1)])
    #expect([1_000, 4_000].contains(image.height), "\(image.height)")
  }
}
