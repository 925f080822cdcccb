import FileStructure
import Notation
import PhotoRecipes
import Testing

@testable import PhotoMetadata

/// Descriptions of mattes and depth maps.
@Suite struct AuxiliaryDataTests {
  private static func properties(_ texts: [String: String]) -> [MarkupElement] {
    texts.map {
      MarkupElement(MarkupName(XMPPrefix.byPrefix["GDepth"] ?? "", $0.key), text: $0.value)
    }
  }

  /// The formulas of Google's specification, inverted.
  @Test(arguments: [("RangeLinear", 0.3, 12.0), ("RangeInverse", 0.3, 12), ("RangeLinear", 2, 2.5)])
  func nearnessIsLinearInTheReciprocalDistance(
    _ format: String, _ near: Double, _ far: Double
  ) {
    let range = DepthRange(
      Self.properties(["Format": format, "Near": "\(near)", "Far": "\(far)"]))
    for step in 0...20 {
      let distance = near + (far - near) * Double(step) / 20
      let sample =
        format == "RangeLinear"
        ? (distance - near) / (far - near) : far * (distance - near) / (distance * (far - near))
      let wanted = (1 / distance - 1 / far) / (1 / near - 1 / far)
      #expect(abs(range.nearness(sample) - wanted) < 1e-9)
    }
  }

  /// A long description loses its longest properties in a JPEG file, with a warning.
  @Test func aLongDescriptionIsShortenedInAJPEGFile() throws {
    var xmp = XMP()
    xmp.set(AppleName.picture("AuxiliaryImageType"), text: "disparity")
    for number in 0..<600 { xmp.set(AppleName.depth("N\(number)"), text: "\(number)") }
    let short = AuxiliaryData(.depth, picture: [0xFF, 0xD8, 0xFF, 0xD9], xmp)
    xmp.set(AppleName.depth("Long"), text: String(repeating: "long ", count: 4000))
    xmp.set(AppleName.depth("Longer"), text: String(repeating: "long ", count: 12_000))
    let long = AuxiliaryData(.depth, picture: [0xFF, 0xD8, 0xFF, 0xD9], xmp)
    for (data, lost) in [(short, 0), (long, 1)] {
      var warnings: [String] = []
      let file = JPEGFile(.bytes(data.jpegFile(&warnings)))
      let found = try XMP(try #require(file.blocks.xmp.first))
      #expect(AppleName.kind(in: found) == .depth && found.text(AppleName.depth("N7")) == "7")
      #expect(found[AppleName.depth("Long")] == nil || found[AppleName.depth("Longer")] == nil)
      #expect(warnings.count == lost, "\(warnings)")
      let words = "the depth map is without 'depthData:Longer': it has more than 65000 bytes"
      #expect(warnings.allSatisfy { $0.contains(words) }, "\(warnings)")
    }
    // A description with more properties than a segment holds.
    for number in 0..<1500 { xmp.set(AppleName.depth("More\(number)"), text: "x") }
    var warnings: [String] = []
    let file = AuxiliaryData(.depth, picture: [0xFF, 0xD8, 0xFF, 0xD9], xmp).jpegFile(&warnings)
    #expect(file.count < 66_000 && JPEGFile(.bytes(file)).blocks.xmp.count == 1)
    #expect(warnings.count == 1 && warnings[0].contains("'depthData:Longer' and "), "\(warnings)")
  }

  /// No distances, however far apart or close together, give a nearness outside 0…1.
  @Test func extremeDistancesGiveNumbers() {
    let least = Double.leastNonzeroMagnitude
    for (near, far) in [(1e200, 1e300), (1e-300, 1e300), (1, 1 + 1e-15), (least, 2 * least)] {
      let range = DepthRange(
        Self.properties(["Format": "RangeLinear", "Near": "\(near)", "Far": "\(far)"]))
      for step in 0...4 {
        let found = range.nearness(Double(step) / 4)
        #expect((0...1).contains(found), "\(near), \(far): \(found)")
      }
    }
  }

  @Test(arguments: [
    ["Format": "RangeLinear"], ["Format": "RangeLinear", "Near": "0", "Far": "3"],
    ["Format": "RangeLinear", "Near": "x", "Far": "3"], [:],
    ["Format": "RangeLinear", "Near": "4", "Far": "3"],
    ["Format": "RangeLinear", "Near": "4", "Far": "inf"],
  ])
  func distancesThatAreMissingOrWrongAreNotUsed(_ texts: [String: String]) {
    #expect(DepthRange(Self.properties(texts)).nearness(0.25) == 0.75)
  }

  @Test(
    arguments: [
      ("m", 0.5, 2), (nil, 0.5, 2), ("mm", 500, 2000), ("feet", nil, nil),
    ] as [(String?, Double?, Double?)])
  func distancesBecomeDisparitiesInAppleForm(
    _ unit: String?, _ least: Double?, _ most: Double?
  ) {
    var texts = ["Format": "RangeInverse", "Near": "0.5", "Far": "2"]
    texts["Units"] = unit
    let apple = AuxiliaryData(picture: [1], Self.properties(texts)).inAppleForm
    #expect(!apple.isInXMP && apple.range == nil && apple.kind == .depth)
    #expect(AppleName.kind(in: apple.xmp) == .depth)
    #expect(AppleName.number("FloatMinValue", in: apple.xmp) == least)
    #expect(AppleName.number("FloatMaxValue", in: apple.xmp) == most)
  }
}
