import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoRender

/// The time that outputs request for encoding.
///
/// The actual time of encoders is not tested.
@Suite struct EncodingTimeTests {
  /// The time that an output requests for a photo of 50 megapixels.
  private static func seconds(
    _ output: String, filters: String = "[]", size: Size = Size(10_000, 5_000)
  ) throws -> Double {
    try seconds(Studio.recipe(filters, output: output), size)
  }

  private static func seconds(_ recipe: Recipe, _ size: Size) throws -> Double {
    let photo = PhotoFile.bytes(try SyntheticPhoto.jpeg(width: 20, height: 10))
    var header = try Renderer.header(of: photo)
    header.stored = size
    return try Renderer(recipe).plan(photo, header).encodingSeconds
  }

  @Test func aLargeAVIFOutputRequestsExtraTime() throws {
    // 50 megapixels at 3.3 s each take 165 s; the output requests four times that, for slower
    // machines.
    #expect(abs(try Self.seconds(#""format": "avif""#) - 660) < 1e-6)
  }

  @Test func fastEncodersNeedNoExtraTime() throws {
    #expect(try Self.seconds(#""format": "jpeg""#) == 0)
    #expect(try Self.seconds(#""format": "jpeg", "effort": 2"#) > 0)
    #expect(try Self.seconds(#""format": "tiff""#) == 0)
  }

  @Test func theTimeIsProportionalToTheOutputsPixels() throws {
    let whole = try Self.seconds(#""format": "avif""#)
    let half = #"[{"filter": "resize", "width": 5000}]"#
    #expect(abs(try Self.seconds(#""format": "avif""#, filters: half) - whole / 4) < whole / 100)
    #expect(
      abs(try Self.seconds(#""format": "avif""#, size: Size(10_000, 10_000)) - 2 * whole) < 1e-6)
  }

  @Test func aByteBudgetRequestsTimeForEightEncodings() throws {
    let once = try Self.seconds(#""format": "avif""#)
    #expect(abs(try Self.seconds(#""format": "avif", "maxBytes": 100000"#) - 8 * once) < 1e-6)
  }

  @Test(arguments: [("avif", 0...9), ("heic", 0...9), ("jxl", 3...9), ("webp", 0...6)])
  func moreEffortNeverNeedsLessTime(_ format: String, _ efforts: ClosedRange<Int>) throws {
    for more in ["", #", "lossless": true"#] {
      let times = try efforts.map {
        try Self.seconds(#""format": "\#(format)", "effort": \#($0)\#(more)"#)
      }
      #expect(times == times.sorted() && times[0] > 0)
    }
  }

  @Test func moreSamplesNeedMoreTime() throws {
    let usual = try Self.seconds(#""format": "avif""#)
    #expect(try Self.seconds(#""format": "avif", "subsampling": "4:4:4""#) > usual)
    #expect(try Self.seconds(#""format": "avif", "lossless": true"#) > usual)
  }

  @Test func theTimesOfAllOutputsAreAdded() throws {
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "filters": [], "outputs": [
          {"name": "a", "format": "avif"}, {"name": "b", "format": "jpeg"},
          {"name": "c", "format": "avif", "effort": 2}]}
        """)
    let single = try Self.seconds(#""format": "avif""#)
    let fast = try Self.seconds(#""format": "avif", "effort": 2"#)
    #expect(try abs(Self.seconds(recipe, Size(10_000, 5_000)) - single - fast) < 1e-6)
  }
}
