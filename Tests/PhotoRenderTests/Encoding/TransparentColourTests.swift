import Foundation
import Testing

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
  func hiddenColoursChangeNoByte(_ format: String) throws {
    let output = #""format": \#(format), "quality": 50"#
    let dark = try Self.file(Self.ring(hidden: [0, 0, 0]), output)
    #expect(try Self.file(Self.ring(hidden: [255, 0, 200]), output) == dark)
  }

  private static let formats = ["avif", "heic", "webp"]

  @Test(arguments: formats) func edgesKeepTheirColours(_ format: String) throws {
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

  /// If the transparent surroundings were stored in black, their edge would take as many bytes as
  /// the disc itself.
  @Test(arguments: formats) func edgesCostNothing(_ format: String) throws {
    let output = #""format": "\#(format)", "quality": 50"#
    let cut = try Self.file(Self.ring(hidden: [0, 0, 0]), output)
    let light = try Self.file(Self.ring(hidden: [245, 225, 230]), output)
    #expect(cut.count <= light.count)
  }

  @Test func losslessFilesKeepHiddenColours() throws {
    let photo = Self.ring(hidden: [255, 0, 200])
    let result = try Samples(file: Self.file(photo, #""format": "avif", "lossless": true"#))
    #expect(result[0, 0] == [255, 0, 200, 0])
  }

  /// If no pixel is visible, there is no colour to fill from.
  @Test(arguments: formats) func emptyPicturesAreWritten(_ format: String) throws {
    for (width, height) in [(1, 1), (33, 17)] {
      let photo = Samples.flat([10, 200, 90, 0], width, height)
      let result = try Samples(file: Self.file(photo, #""format": "\#(format)""#))
      #expect(result.width == width && result[0, 0][3] == 0)
    }
  }
}
