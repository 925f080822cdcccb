import Foundation
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Frames one below the other, as libvips stores animations, written to GIF and WebP.
@Suite struct AnimationOutputTests {
  private static let colours = [[255, 0, 0], [0, 255, 0], [0, 0, 255]]

  /// An animation of three frames of 40 × 30 pixels.
  private static func frames(
    _ colours: [[Int]] = Self.colours, _ delays: [Int] = [100, 200, 300]
  ) throws -> Image {
    let values = colours.flatMap { colour in (0..<40 * 30).flatMap { _ in colour } }
    return try Samples(width: 40, height: 90, bands: 3, maximum: 255, values: values).image()
      .setting([
        "page-height": .integer(30), "delay": .integers(delays), "loop": .integer(3),
      ])
  }

  static func written(
    _ format: String, _ settings: String = "", _ image: Image? = nil
  ) throws -> [UInt8] {
    let recipe = try Studio.recipe("[]", output: #""format": "\#(format)"\#(settings)"#)
    let output = try #require(recipe.outputs.first)
    let header = try Renderer.header(of: .bytes(SyntheticPhoto.jpeg(width: 8, height: 8)))
    let colour = try OutputColour(output, SourceColour(header), header, files: [:])
    let handle = try #require(tmpfile())
    defer { fclose(handle) }
    try Encoder(output: output, colour: colour, depth: 8)
      .write(image ?? frames(), to: fileno(handle))
    return try Studio.content(of: handle)
  }

  private static func read(_ file: [UInt8]) throws -> Image {
    try Image.load(from: Source(bytes: file), ["n": .integer(-1)])
  }

  @Test(arguments: [("gif", ""), ("webp", #", "lossless": true"#)])
  func anAnimationKeepsItsFramesAndDelays(_ format: String, _ settings: String) throws {
    let image = try Self.read(Self.written(format, settings))
    #expect(image.height == 90 && image.integer("page-height") == 30)
    #expect(image.integer("n-pages") == 3 && image.integer("loop") == 3)
    guard case .integers(let delays) = image.field("delay") else {
      Issue.record("no delays")
      return
    }
    #expect(delays == [100, 200, 300])
    let samples = try Samples(image)
    for (number, colour) in Self.colours.enumerated() {
      #expect(Array(samples[20, 30 * number + 15].prefix(3)) == colour, "\(number)")
    }
  }

  @Test(arguments: ["gif", "webp"]) func delaysAndLoopsOfTheOutputReplaceThoseOfThePhoto(
    _ format: String
  ) throws {
    let image = try Self.read(Self.written(format, #", "delay": 50, "loop": 0"#))
    #expect(image.integer("loop") == 0)
    guard case .integers(let delays) = image.field("delay") else {
      Issue.record("no delays")
      return
    }
    #expect(delays == [50, 50, 50])
  }

  @Test(arguments: ["gif", "webp"]) func aDelayOfTenMillisecondsIsWritten(_ format: String) throws {
    let image = try Self.read(Self.written(format, #", "delay": 10"#))
    guard case .integers(let delays) = image.field("delay") else {
      Issue.record("no delays")
      return
    }
    #expect(delays == [10, 10, 10])
  }

  /// Equal frames become one frame with the sum of their times; 0 ms is 100 ms, as browsers show it.
  @Test(arguments: [
    ([0, 1, 2], [7, 10, 11], [7, 10, 11]), ([0, 1, 2], [1, 0, 500], [1, 100, 500]),
    ([0, 0, 1], [7, 10, 200], [17, 200]), ([0, 1, 1], [200, 4, 9], [200, 13]),
  ])
  func webPKeepsTheShortTimesOfAPhoto(_ picks: [Int], _ times: [Int], _ wanted: [Int]) throws {
    let frames = try Self.frames(picks.map { Self.colours[$0] }, times)
    let image = try Self.read(Self.written("webp", #", "lossless": true"#, frames))
    guard case .integers(let delays) = image.field("delay") else {
      Issue.record("no delays")
      return
    }
    #expect(delays == wanted)
  }

  @Test(arguments: ["gif", "webp"]) func anEnlargedFirstFrameIsWrittenAsOnePicture(
    _ format: String
  ) throws {
    let file = try Studio.develop(
      Self.written("gif"), #"[{"filter": "resize", "width": 80, "enlarge": true}]"#,
      output: #""format": "\#(format)""#)
    let image = try Self.read(file)
    #expect(image.width == 80 && image.height == 60)
    #expect(image.integer("n-pages") ?? 1 == 1)
  }

  @Test(.enabled(if: ExifTool.isHere)) func exifToolFindsAllFramesOfAnAnimation() throws {
    let tags = try ExifTool.tags(of: Self.written("gif"))
    #expect(tags["GIF:FrameCount"] == "3" && tags["GIF:Duration"] == "0.6", "\(tags)")
  }

  @Test(arguments: ["jpeg", "avif"]) func formatsWithoutAnimationStoreTheFramesBelowEachOther(
    _ format: String
  ) throws {
    let image = try Image.load(from: Source(bytes: Self.written(format)))
    #expect(image.width == 40 && image.height == 90)
  }
}
