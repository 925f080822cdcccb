import PhotoRecipes
import PhotoRender
import TestSupport
import Testing
import Vips

/// The limits on photos: bytes, pixels, steps of a recipe, and scans of a JPEG file.
@Suite struct LimitTests {
  private static func refusal(
    of photo: [UInt8], _ change: (inout GivenLimits) -> Void
  ) throws -> RenderError? {
    var given = GivenLimits()
    change(&given)
    #expect(GivenLimits(given.json) == given)
    let header = try Renderer.header(of: .bytes(photo))
    do throws(RenderError) {
      try RenderLimits(given).check(header, .bytes(photo))
      return nil
    } catch {
      return error
    }
  }

  @Test func aFileWithMoreBytesThanTheLimitIsRefused() throws {
    let photo = try SyntheticPhoto.jpeg()
    #expect(try Self.refusal(of: photo) { _ in } == nil)
    #expect(try Self.refusal(of: photo) { $0.bytes = photo.count } == nil)
    let limit = photo.count - 1
    #expect(
      try Self.refusal(of: photo) { $0.bytes = limit } == .tooManyBytes(photo.count, limit: limit))
  }

  @Test(
    arguments: [
      (1, "1 pixel"), (999, "999 pixels"), (1_000_000, "1 megapixel"), (2_000_000, "2 megapixels"),
    ])
  func theErrorStatesTheLimitOfPixels(_ limit: Int, _ words: String) {
    let error = RenderError.tooManyPixels(Size(9000, 9000), limit: limit)
    #expect(error.message.hasSuffix(" the limit of \(words)"))
  }

  @Test func anOutputWithTooManyPixelsIsRefused() throws {
    let recipe = try Studio.recipe(#"[{"filter": "pad", "width": 100000, "height": 100000}]"#)
    let error = RenderError.tooManyOutputPixels(Size(100_000, 100_000), limit: 2_200_000_000)
    #expect(throws: error) { try Studio.render(SyntheticPhoto.jpeg(), recipe) }
  }

  @Test(arguments: [
    #"{"filter": "invert", "mask": {"image": {"file": "m"}}}"#,
    #"{"filter": "watermark", "image": "m"}"#,
    #"{"filter": "lut", "file": "m"}"#,
  ])
  func aTooLargeImageInARecipeIsRefused(_ filter: String) throws {
    let recipe = try Studio.recipe("[\(filter)]")
    // 27 × 27 pixels is the size of a HaldCLUT of level 3.
    let files = ["m": try SyntheticPhoto.png(width: 27, height: 27)]
    func renderer(_ pixels: Int) -> Renderer {
      var given = GivenLimits()
      given.pixels = pixels
      return Renderer(recipe, files: files, limits: RenderLimits(given))
    }
    func check(_ pixels: Int) throws {
      let part = try #require(recipe.parts.first)
      let sources = files.mapValues { PhotoFile.bytes($0) }
      try PartCheck(part, of: recipe, sources, renderer(pixels).limits).run()
    }
    let error = RenderError.tooManyFilePixels("m", Size(27, 27), limit: 728)
    try check(729)
    #expect(throws: error) { try check(728) }
    let photo = PhotoFile.bytes(try SyntheticPhoto.jpeg(width: 10, height: 10))
    let header = try Renderer.header(of: photo)
    #expect(throws: error) { try renderer(728).plan(photo, header) }
  }

  @Test func aRecipeWithTooManyStepsIsRefused() throws {
    func steps(_ count: Int) -> String {
      (0..<count).map { #"{"filter": "exposure", "id": "s\#($0)", "stops": 1}"# }
        .joined(separator: ",")
    }
    #expect(try Studio.recipe("[\(steps(200))]").steps.count == 200)
    #expect {
      try Studio.recipe("[\(steps(1001))]")
    } throws: {
      "\($0)".contains("1001 steps") && "\($0)".contains("at most 1000")
    }
  }

  /// libjpeg writes ten scans for a colour photo.
  @Test func aJPEGFileWithTooManyScansIsRefused() throws {
    let photo = try SyntheticPhoto.bytes(
      SyntheticPhoto.image(width: 96, height: 64), "jpegsave_target", ["interlace": .flag(true)])
    #expect(try Self.refusal(of: photo) { _ in } == nil)
    #expect(try Self.refusal(of: photo) { $0.scans = 10 } == nil)
    #expect(try Self.refusal(of: photo) { $0.scans = 9 } == .tooManyScans(limit: 9))
    // A JPEG file with very many scans is refused by default.
    let start = try #require(photo.indices.first { photo[$0...].starts(with: [0xFF, 0xDA]) })
    let end = try #require(
      photo.indices.first { $0 > start && photo[$0...].starts(with: [0xFF, 0xC4]) })
    let scan = Array(photo[start..<end])
    let many = photo[..<end] + (0..<600).flatMap { _ in scan } + photo[end...]
    #expect(try Self.refusal(of: Array(many)) { _ in } == .tooManyScans(limit: 500))
  }
}
