import Foundation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Effort 2 of JPEG: fewer bytes for a slightly larger error.
@Suite struct JPEGEffortTests {
  private static func file(_ photo: Samples, _ output: String) throws -> [UInt8] {
    try Studio.develop(photo.file(), "[]", output: #""format": "jpeg", \#(output)"#)
  }

  private static func meanSquare(_ a: Samples, _ b: Samples) -> Double {
    let squares = zip(a.values, b.values).map { ($0 - $1) * ($0 - $1) }
    return Double(squares.reduce(0, +)) / Double(squares.count)
  }

  /// A simulated photo: smooth shapes with noise.
  private static let photo: Samples = {
    let noise = Samples.noise(320, 240, to: 24)
    return Samples(320, 240) { x, y in
      let wave = Int(60 * sin(Double(x * y) / 900))
      return noise[x, y].map { $0 + 100 + wave }
    }
  }()

  @Test(arguments: TestVolume.pairs([60, 75], ["", #", "progressive": true"#]))
  func filesAreSmallerAtEqualError(_ quality: Int, _ more: String) throws {
    let plain = try Self.file(Self.photo, #""quality": \#(quality)\#(more)"#)
    let weighed = try Self.file(Self.photo, #""quality": \#(quality), "effort": 2\#(more)"#)
    let before = Self.meanSquare(Self.photo, try Samples(file: plain))
    let after = Self.meanSquare(Self.photo, try Samples(file: weighed))
    #expect(Double(weighed.count) < 0.97 * Double(plain.count))
    #expect(after < 1.35 * before, "\(before), \(after)")
    // Without the choice, as few bytes need a lower quality, whose error is larger.
    let coarse = try (1..<quality).reversed().lazy.map {
      try Self.file(Self.photo, #""quality": \#($0)\#(more)"#)
    }.first { $0.count <= weighed.count }
    let coarser = Self.meanSquare(Self.photo, try Samples(file: #require(coarse)))
    #expect(after < coarser, "\(after), \(coarser)")
  }

  /// Sizes that are no multiples of a block, with each way to share colours between pixels.
  @Test(
    arguments: TestVolume.pairs(
      [(1, 1), (7, 90), (8, 8), (17, 33), (250, 9)], ["4:4:4", "4:2:2", "4:2:0"]))
  func everySizeLooksLikeThePhoto(_ size: (Int, Int), _ subsampling: String) throws {
    let photo = Samples.waves(size.0, size.1, maximum: 255)
    let output = #""quality": 95, "subsampling": "\#(subsampling)""#
    let plain = try Samples(file: Self.file(photo, output))
    let weighed = try Self.file(photo, output + #", "effort": 2"#)
    #expect(JPEGCoding(.bytes(weighed))?.subsampling.rawValue == subsampling)
    #expect(try Samples(file: weighed).difference(from: plain) <= 12)
  }

  @Test(arguments: ["", #", "progressive": true"#, #", "restartInterval": 3"#])
  func greyPicturesAreWritten(_ more: String) throws {
    let grey = Samples(75, 50) { x, y in [(x * 3 + y) % 256] }
    let output = #""quality": 92, "effort": 2, "profile": "grey"\#(more)"#
    let found = try Samples(file: Self.file(grey, output))
    #expect(found.bands == 1)
    #expect(Self.meanSquare(grey, found) < 30)
  }

  @Test(arguments: [false, true]) func inksAreWritten(_ isProgressive: Bool) throws {
    let inks = Samples(48, 40) { x, y in [5 * x, 6 * y, 200 - 4 * x, 20] }
    let image = try inks.image().applying("copy", ["interpretation": .choice("cmyk")])
    let target = Target()
    try image.save(
      to: target, as: "phbatch_jpegsave",
      ["Q": .integer(92), "trellis": .flag(true), "interlace": .flag(isProgressive)])
    let found = try Samples(file: target.bytes())
    #expect(found.bands == 4)
    #expect(Self.meanSquare(inks, found) < 30)
  }

  @Test func colourProfilesAndBudgetsAreKept() throws {
    let file = try Self.file(
      Self.photo, #""effort": 2, "profile": "display-p3", "maxBytes": 12000, "minQuality": 5"#)
    #expect(file.count <= 12_000 && file.count > 6_000)
    let image = try Image.load(from: Source(bytes: file))
    #expect(image.blob("icc-profile-data") == StandardProfile.displayP3.bytes)
  }

  @Test func theOutputIsTheSameAgain() throws {
    let output = #""effort": 2, "quality": 70"#
    #expect(try Self.file(Self.photo, output) == Self.file(Self.photo, output))
  }

  @Test func tablesThatAreNotFittedContradictIt() {
    Studio.expectRefusal(
      of: #""format": "jpeg", "effort": 2, "optimize": false"#, "remove 'optimize' or 'effort'")
  }
}
