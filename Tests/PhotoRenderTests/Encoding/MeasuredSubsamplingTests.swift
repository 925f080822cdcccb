import Foundation
import TestSupport
import Testing
import Vips

@testable import PhotoRecipes
@testable import PhotoRender

/// JPEG files of quality 90 and above keep chroma at full resolution only if the photo's colours
/// have fine detail.
@Suite struct MeasuredSubsamplingTests {
  private static func subsampling(
    _ photo: Samples, _ output: String = #""quality": 92"#
  ) throws -> JPEGFormat.Subsampling? {
    let file = try Studio.develop(photo.file(), "[]", output: #""format": "jpeg", \#(output)"#)
    return JPEGCoding(.bytes(file))?.subsampling
  }

  /// Fine grey lines, with colours that change slowly.
  private static let soft = Samples(320, 240) { x, y in
    [x / 2 + y % 2 * 40, 60 + x / 4 + y % 2 * 40, 120 + y / 4 + y % 2 * 40]
  }

  /// The picture `soft`, with vertical red lines one pixel wide in its first `part` columns.
  private static func lined(_ part: Int) -> Samples {
    Samples(320, 240) { x, y in x < part && x % 2 == 0 ? [230, 40, 40] : soft[x, y] }
  }

  @Test func chromaWithoutFineDetailIsStoredAtHalfResolution() throws {
    #expect(try Self.subsampling(Self.soft) == .half)
    #expect(try Self.subsampling(Samples.flat([90, 120, 60], 64, 64)) == .half)
  }

  @Test func chromaWithFineDetailIsStoredAtFullResolution() throws {
    #expect(try Self.subsampling(Self.lined(320)) == .full)
    // The red lines are only in the first of the forty blocks in each row of blocks.
    #expect(try Self.subsampling(Self.lined(8)) == .full)
  }

  @Test func detailIsMeasuredOnlyForAutomaticSubsamplingFromQuality90() throws {
    #expect(try Self.subsampling(Self.lined(320), #""quality": 89"#) == .half)
    #expect(try Self.subsampling(Self.soft, #""quality": 92, "subsampling": "4:4:4""#) == .full)
    #expect(try Self.subsampling(Self.soft, #""quality": 92, "optimize": false"#) == .full)
    let progressive = #""quality": 92, "optimize": false, "progressive": true"#
    #expect(try Self.subsampling(Self.soft, progressive) == .half)
  }

  /// Above 8 megapixels, detail is measured if a setting keeps the whole picture in memory.
  @Test(arguments: [
    ("", false), (#", "optimize": true"#, true), (#", "effort": 2"#, true),
    (#", "progressive": true"#, true),
  ])
  func detailOfLargePhotosIsMeasuredOnlyOnRequest(_ more: String, _ isMeasured: Bool) throws {
    let recipe = try Studio.recipe("[]", output: #""format": "jpeg", "quality": 92"# + more)
    let format = try #require(recipe.outputs.first).format
    let arguments = format.arguments(bitDepth: 8, size: Size(4097, 2048))
    #expect(arguments["measure"] == .flag(isMeasured))
  }

  /// At quality 100, even faint noise in the colours keeps chroma at full resolution.
  @Test func quality100KeepsFullChromaResolutionForFaintNoise() throws {
    let noise = Samples.noise(320, 240)
    let faint = Samples(320, 240) { x, y in noise[x, y].map { 120 + $0 / 64 } }
    #expect(try Self.subsampling(faint, #""quality": 100"#) == .full)
    #expect(try Self.subsampling(faint, #""quality": 90"#) == .half)
  }

  @Test(arguments: [(1, 1), (7, 90), (8, 8), (33, 9)])
  func verySmallPicturesAreEncodedWithMeasuredSubsampling(
    _ width: Int, _ height: Int
  ) throws {
    let photo = Samples.flat([200, 30, 90], width, height)
    let file = try Studio.develop(photo.file(), "[]", output: #""format": "jpeg", "quality": 95"#)
    let found = try Samples(file: file)
    #expect(found.width == width && found.height == height)
    #expect(zip(found[0, 0], [200, 30, 90]).allSatisfy { abs($0 - $1) <= 3 })
  }
}
