import FileStructure
import Testing

@testable import PhotoMetadata

/// The range of the samples in AVIF files.
@Suite struct SampleRangeTests {
  /// The sequence header of an AV1 picture states whether the picture is grey, and whether its
  /// samples have the full range.
  ///
  /// The headers come from files in the corpus.
  @Test(arguments: [
    // fox.profile0.10bpc.yuv420.monochrome.avif: 10-bit, grey, limited range.
    ("0a0a196a659e3fc7010d0920", true, false),
    // kimono.avif: 8-bit, colour, limited range.
    ("0a0a19666d1fff82021a1208", false, false),
    // rot1mir1.avif: 8-bit, colour, full range; a delimiter precedes the header.
    ("12000a0a18627553fb2404341a10", false, true),
    // colors-animated-8bpc-depth-exif-xmp.avif: the longer headers of an animation and of its
    // alpha.
    ("12000a0e00000003bcacabfff32021a0d0803212", false, true),
    ("12000a0a00000003bcacabfff354320a100083a0", true, true),
  ])
  func greyAndSampleRangeAreReadFromAV1SequenceHeaders(
    _ digits: String, _ isGrey: Bool, _ isFull: Bool
  ) throws {
    let sequence = try #require(AV1Sequence(Self.bytes(digits)))
    #expect(sequence.isMonochrome == isGrey)
    #expect(sequence.isFullRange == isFull)
  }

  @Test func truncatedAndMissingAV1SequenceHeadersAreRejected() {
    let whole = Self.bytes("0a0a196a659e3fc7010d0920")
    for count in 0..<8 { #expect(AV1Sequence(Array(whole.prefix(count))) == nil) }
    #expect(AV1Sequence([0x12, 0]) == nil)
    #expect(AV1Sequence([0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) == nil)
    #expect(AV1Sequence(Array(repeating: 0xFF, count: 64)) == nil)
  }

  /// The colour tags of a file with a picture that has the properties `picture`, and an alpha
  /// picture that has the properties `alpha`.
  private static func tags(
    _ picture: [[UInt8]], alpha: [[UInt8]] = []
  ) -> ColourTags {
    let boxes = picture + alpha
    let numbers = (1...boxes.count).map { UInt8($0) }
    let own = numbers.prefix(picture.count)
    let other = numbers.suffix(alpha.count)
    let entries: [UInt8] =
      [0, 1, UInt8(own.count)] + own + [0, 2, UInt8(other.count)] + other
    let table = BoxBytes.full("ipma", 0, BoxBytes.number(2, 4) + entries)
    let properties = BoxBytes.box("iprp", BoxBytes.box("ipco", Array(boxes.joined())) + table)
    let reference = BoxBytes.full("iref", 0, BoxBytes.box("auxl", [0, 2, 0, 1, 0, 1]))
    return ColourTags(
      of: .bytes(BoxBytes.items([(1, "av01"), (2, "av01")], [properties, reference])))
  }

  private static let grey = BoxBytes.box("av1C", bytes("81055c00" + "0a0a196a659e3fc7010d0920"))
  private static let colour = BoxBytes.box("av1C", bytes("81050c00" + "0a0a19666d1fff82021a1208"))
  private static let isAlpha = BoxBytes.full(
    "auxC", 0, Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8))

  private static func nclx(isFull: Bool) -> [UInt8] {
    BoxBytes.box("colr", Array("nclx".utf8) + [0, 1, 0, 13, 0, 6, isFull ? 0x80 : 0])
  }

  @Test func theLimitedRangeIsReportedForGreyAndAlphaPicturesOnly() {
    #expect(Self.tags([Self.grey]).hasLimitedGrey)
    #expect(!Self.tags([Self.colour]).hasLimitedGrey)
    #expect(!Self.tags([Self.colour]).hasLimitedAlpha)
    #expect(Self.tags([Self.colour], alpha: [Self.grey, Self.isAlpha]).hasLimitedAlpha)
    #expect(!Self.tags([Self.colour], alpha: [Self.grey]).hasLimitedAlpha)
  }

  @Test func theSampleRangeInTheContainerOverridesTheStream() {
    #expect(!Self.tags([Self.grey, Self.nclx(isFull: true)]).hasLimitedGrey)
    #expect(Self.tags([Self.grey, Self.nclx(isFull: false)]).hasLimitedGrey)
  }

  private static func bytes(_ digits: String) -> [UInt8] {
    let numbers = digits.compactMap(\.hexDigitValue).map { UInt8($0) }
    return stride(from: 0, to: numbers.count, by: 2).map { numbers[$0] << 4 | numbers[$0 + 1] }
  }
}
