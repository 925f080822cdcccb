import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// GIF files with very many frames, or with a screen size of 0.
@Suite struct GIFFrameTests {
  /// A GIF file with `count` frames, each with one red pixel, on a screen of the given size.
  ///
  /// - Source: GIF89a Specification, CompuServe, 1990.
  private static func file(
    frames count: Int, screen: (Int, Int) = (1, 1), frame size: (Int, Int) = (1, 1)
  ) -> [UInt8] {
    func short(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8)] }
    let colours: [UInt8] = [0, 0, 255, 255, 0, 0]
    let head = Array("GIF89a".utf8) + short(screen.0) + short(screen.1) + [0x80, 0, 0] + colours
    let timing: [UInt8] = [0x21, 0xF9, 4, 0, 5, 0, 0, 0]
    // The LZW data, in three-bit codes: clear, colour 1, end.
    let pixels: [UInt8] = [2, 2, 0x4C, 1, 0]
    let picture = [0x2C, 0, 0, 0, 0] + short(size.0) + short(size.1) + [0] + pixels
    return head + Array(repeatElement(timing + picture, count: count).joined()) + [0x3B]
  }

  private static func header(
    _ file: [UInt8], _ frames: InputSettings.Frames = .first
  ) throws -> PhotoHeader {
    var inputs = InputSettings()
    inputs.frames = frames
    return try Renderer.header(of: .bytes(file), inputs)
  }

  @Test(arguments: [4_095, 4_096, 4_097, 10_000]) func allFramesAreCounted(_ count: Int) throws {
    let header = try Self.header(Self.file(frames: count), .all)
    #expect(header.pages == count)
    let error = #expect(throws: RenderError.self) { try RenderLimits.standard.check(header) }
    #expect(error == .tooManyFrames(count, limit: 256))
  }

  @Test func theFirstOfTenThousandFramesIsRendered() throws {
    let (files, report) = try Studio.render(Self.file(frames: 10_000), Studio.recipe("[]"))
    #expect(report.warnings.contains { $0.contains("10000 pictures") }, "\(report.warnings)")
    #expect(try Samples(file: #require(files["out"])).values.prefix(3) == [255, 0, 0])
  }

  @Test func framesThatAreNotReadAreReported() throws {
    let file = Self.file(frames: 5_000)
    #expect(try Self.header(file, .number(4_096)).size == Size(1, 1))
    let behind = #expect(throws: RenderError.self) { try Self.header(file, .number(4_097)) }
    #expect(behind?.message.contains("only the first 4096 of its 5000 frames can be read") == true)
    let missing = #expect(throws: RenderError.self) { try Self.header(file, .number(5_001)) }
    #expect(missing == .missingFrame(5_001, count: 5_000))
  }

  /// A screen without pixels gets the size of its first frame, as in browsers.
  ///
  /// - Source: Firefox, `nsGIFDecoder2.cpp`, which uses the first frame's size if the screen is
  ///   smaller; Chromium's `SkWuffsCodec`, which extends the screen to its frames.
  @Test(arguments: [(0, 0), (0, 1), (1, 0)])
  func aScreenOfSizeZeroGetsTheSizeOfTheFrame(_ width: Int, _ height: Int) throws {
    let file = Self.file(frames: 1, screen: (width, height))
    let (files, report) = try Studio.render(file, Studio.recipe("[]"))
    #expect(report.header.size == Size(1, 1))
    #expect(try Samples(file: #require(files["out"])).values.prefix(3) == [255, 0, 0])
  }

  @Test(arguments: [(0, 0), (0, 1)]) func aFrameWithoutPixelsIsAnError(_ width: Int, _ height: Int)
  {
    let file = Self.file(frames: 1, screen: (0, 0), frame: (width, height))
    #expect(throws: RenderError.unreadable("neither the picture nor a frame has any pixels")) {
      try Renderer.header(of: .bytes(file))
    }
  }
}
