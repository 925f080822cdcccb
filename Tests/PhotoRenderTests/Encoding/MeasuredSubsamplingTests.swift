import Foundation
import TestSupport
import Testing
import Vips

@testable import PhotoRecipes
@testable import PhotoRender

/// JPEG of quality 90 and above: the colour resolution that the photo needs.
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

  /// The same with red lines of one pixel, `part` pixels wide.
  private static func lined(_ part: Int) -> Samples {
    Samples(320, 240) { x, y in x < part && x % 2 == 0 ? [230, 40, 40] : soft[x, y] }
  }

  @Test func coloursWithoutDetailAreHalved() throws {
    #expect(try Self.subsampling(Self.soft) == .half)
    #expect(try Self.subsampling(Samples.flat([90, 120, 60], 64, 64)) == .half)
  }

  @Test func detailOfColoursIsKept() throws {
    #expect(try Self.subsampling(Self.lined(320)) == .full)
    // One block of forty in a row.
    #expect(try Self.subsampling(Self.lined(8)) == .full)
  }

  @Test func onlyAutoFromQuality90IsMeasured() throws {
    #expect(try Self.subsampling(Self.lined(320), #""quality": 89"#) == .half)
    #expect(try Self.subsampling(Self.soft, #""quality": 92, "subsampling": "4:4:4""#) == .full)
    #expect(try Self.subsampling(Self.soft, #""quality": 92, "optimize": false"#) == .full)
    let progressive = #""quality": 92, "optimize": false, "progressive": true"#
    #expect(try Self.subsampling(Self.soft, progressive) == .half)
  }

  /// At quality 100, the smallest detail is kept.
  @Test func theBestQualityKeepsNoise() throws {
    let noise = Samples.noise(320, 240)
    let faint = Samples(320, 240) { x, y in noise[x, y].map { 120 + $0 / 64 } }
    #expect(try Self.subsampling(faint, #""quality": 100"#) == .full)
    #expect(try Self.subsampling(faint, #""quality": 90"#) == .half)
  }

  @Test(arguments: [(1, 1), (7, 90), (8, 8), (33, 9)]) func smallPicturesAreWritten(
    _ width: Int, _ height: Int
  ) throws {
    let photo = Samples.flat([200, 30, 90], width, height)
    let file = try Studio.develop(photo.file(), "[]", output: #""format": "jpeg", "quality": 95"#)
    let found = try Samples(file: file)
    #expect(found.width == width && found.height == height)
    #expect(zip(found[0, 0], [200, 30, 90]).allSatisfy { abs($0 - $1) <= 3 })
  }
}
