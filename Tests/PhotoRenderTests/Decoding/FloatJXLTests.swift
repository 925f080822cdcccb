import Foundation
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Floating-point JPEG XL files by libjxl 0.7, of 16 × 8 pixels: red is x ÷ 15, green y ÷ 7 and
/// blue 1 − x ÷ 30 (grey: x ÷ 15); alpha is 1 above and 0.5 in the lower half.
@Suite struct FloatJXLTests {
  private static let srgbAlpha = """
    AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAADNanhsY/8KwckJOSABCAgQANwCSxiTbhwcTFKI0HlT\
    MQb7aAxuSax2jMEdjo6KisFSCxFAAIIgADAepiYAAAD8GgQAAEBJkoQHAAAA+0uSJG7bNkmSJEmSL8gkSZKIiNgBAADO/kREBO/u\
    FhERnuUiIkJERGhmZkRE1LhHREREREREREREzHdHRERERDCx0a47ZIVUvWUCAAD8739ERA8RRUT0//8QUUREDxH9/0dE9BBRRETr\
    /xERPUT0EBHyf0REERE9RCQxhtYD
    """
  private static let greyAlpha = """
    AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAAB3anhsY/8KwckJOYDiRggIEACAAUs4aZjKg/crKIhE\
    WN27GIMbGhUvMgZLXgQEAIOXA4AGXgAAgA8AABBgTkRE7AAAAItlIiKCd3eLiIiVVRERISIiNDPzVysiIiIiIiIiqP8jIiIiIiIi\
    wtwsIiI6IIB5AQ==
    """
  private static let linear = """
    AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAAC9anhsY/8KwckBFC0CCAIBAJwCSxib7U5BQSTC6kbF\
    GFxQRcWLF2Ow4kUAAXCeYbctSZLwAAAAkWVJksRt2+4sJ0mSJEmSJEkUGBMRETsAAEBlmYiI4N3dKssiIkJERIiICFVVzcyMiAhH\
    1YiIiIiIiIjAVI2IiIiIiIgIaYYKZGuILZt/2PR/AADAj4iIQ0QgIiL9/xARiIg4RMT/PyIiDhGBiIj5f0REHCLiEBH1/4iIQETE\
    ISKAQgE=
    """

  private static func read(_ base64: String, _ filters: String = "[]") throws -> Samples {
    try Samples(
      file: Studio.develop(Array(#require(Data(base64Encoded: base64))), filters))
  }

  private static func expect(
    _ samples: Samples, _ colour: (Double, Double) -> [Double], _ comment: Comment
  ) {
    let most = Double(samples.maximum)
    for y in 0..<8 {
      for x in 0..<16 {
        let wanted = colour(Double(x) / 15, Double(y) / 7)
        let found = samples[x, y].map { Double($0) / most }
        #expect(
          found.count == wanted.count && zip(found, wanted).allSatisfy { abs($0 - $1) < 0.001 },
          "\(comment): \(found), not \(wanted)")
      }
    }
  }

  @Test func floatSamplesInSRGBAreNotEncodedTwice() throws {
    Self.expect(
      try Self.read(Self.srgbAlpha), { [$0, $1, 1 - $0 / 2, $1 < 0.5 ? 1 : 0.5] }, "RGB")
    Self.expect(try Self.read(Self.greyAlpha), { [$0, $1 < 0.5 ? 1 : 0.5] }, "grey")
  }

  @Test func floatSamplesInLinearLightAreEncoded() throws {
    Self.expect(
      try Self.read(Self.linear), { [$0, $1, 1 - $0 / 2].map { Curve.encode($0) } }, "linear")
  }

  /// A filter on display-encoded values receives the file's display-encoded samples unchanged.
  @Test func filtersReceiveTheDisplayEncodedSamplesUnchanged() throws {
    let inverted = try Self.read(Self.srgbAlpha, #"[{"filter": "invert"}]"#)
    Self.expect(inverted, { [1 - $0, 1 - $1, $0 / 2, $1 < 0.5 ? 1 : 0.5] }, "inverted")
  }
}
