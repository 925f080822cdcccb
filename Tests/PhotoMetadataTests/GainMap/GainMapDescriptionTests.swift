import Foundation
import Testing

@testable import PhotoMetadata

/// The description of a gain map, as bytes and as XMP.
@Suite struct GainMapDescriptionTests {
  private static func channel(_ minimum: Double, _ maximum: Double) -> GainMapDescription.Channel {
    .init(
      minimum: minimum, maximum: maximum, gamma: 0.712_891, baseOffset: 0.015_625,
      alternateOffset: 1e-5)
  }

  private static let grey = GainMapDescription(
    channels: [channel(-0.25, 1.676_758)], baseHeadroom: 0, alternateHeadroom: 1.676_758)
  private static let coloured = GainMapDescription(
    channels: [channel(0, 1), channel(-1.5, 2), channel(0.1, 3.7)], baseHeadroom: 0.5,
    alternateHeadroom: 4)

  private static func isNear(_ a: GainMapDescription, _ b: GainMapDescription?) -> Bool {
    guard let b, a.channels.count == b.channels.count else { return false }
    func numbers(_ description: GainMapDescription) -> [Double] {
      description.channels.flatMap {
        [$0.minimum, $0.maximum, $0.gamma, $0.baseOffset, $0.alternateOffset]
      } + [description.baseHeadroom, description.alternateHeadroom]
    }
    return zip(numbers(a), numbers(b)).allSatisfy { abs($0 - $1) <= 1e-9 * max(1, abs($0)) }
  }

  @Test func aGainMapDescriptionIsEncodedAsBytesWithoutLoss() throws {
    for description in [Self.grey, Self.coloured] {
      #expect(Self.isNear(description, GainMapDescription(description.bytes)))
    }
    #expect(Self.grey.bytes.count == 5 + 8 * 7 && Self.coloured.bytes.count == 5 + 8 * 17)
  }

  /// A description that was written as XMP properties is read from an XMP packet without loss.
  @Test func aGainMapDescriptionIsEncodedAsXMPWithoutLoss() throws {
    for description in [Self.grey, Self.coloured] {
      let packet = try XMP(description.xmp.packet)
      #expect(Self.isNear(description, GainMapDescription(packet)))
    }
    let text = String(decoding: Self.grey.xmp.packet, as: UTF8.self)
    #expect(text.contains("hdrgm:GainMapMax=\"1.676758\""), "\(text)")
  }

  /// Fractions keep their numerators and denominators, so that a gain map that is written again has
  /// the same bytes.
  @Test func gainMapFractionsKeepNumeratorAndDenominator() throws {
    let bytes = Self.coloured.bytes
    #expect(GainMapDescription(bytes)?.bytes == bytes)
    let offset = Array(Self.grey.bytes[(5 + 8 * 5)..<(5 + 8 * 6)])
    #expect(offset == [0, 0, 0, 1, 0, 0, 0, 64])
  }

  @Test func truncatedGainMapDescriptionsAreRejected() {
    let bytes = Self.coloured.bytes
    for length in 0..<bytes.count {
      #expect(GainMapDescription(Array(bytes[..<length])) == nil, "\(length) bytes")
    }
  }

  @Test func gainMapDescriptionsWithInvalidValuesAreRejected() {
    var bytes = Self.grey.bytes
    // A denominator of 0.
    bytes[12] = 0
    bytes.replaceSubrange(9..<13, with: [0, 0, 0, 0])
    #expect(GainMapDescription(bytes) == nil)
    // A later version, and a base picture for HDR displays.
    #expect(GainMapDescription([0, 1] + Self.grey.bytes.dropFirst(2)) == nil)
    var backwards = Self.grey.bytes
    backwards[4] |= 0x04
    #expect(GainMapDescription(backwards) == nil)
    var description = Self.grey
    description.channels[0].gamma = 0
    #expect(GainMapDescription(description.bytes) == nil)
    description = Self.grey
    description.alternateHeadroom = 0
    #expect(GainMapDescription(description.bytes) == nil)
  }

  @Test func aSampleWithoutGainIsComputedFromTheRangeAndGamma() {
    // 0.25 of 1.926758 stops above the least gain.
    #expect(abs(Self.grey.neutral(0) - pow(0.25 / 1.926_758, 0.712_891)) < 1e-12)
    #expect(Self.coloured.neutral(0) == 0 && Self.coloured.neutral(2) == 0)
  }
}
