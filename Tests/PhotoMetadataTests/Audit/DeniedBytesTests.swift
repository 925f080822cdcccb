import FileStructure
import PhotoRecipes
import Testing

@testable import PhotoMetadata

/// The strings that a policy denies are found anywhere in a file, also if there are very many.
@Suite struct DeniedBytesTests {
  /// The strings of a photo with these keywords that a policy without keywords denies.
  private static func denied(_ keywords: [String], besides allowed: [String] = []) -> DeniedBytes {
    var original = Metadata()
    original.xmp = XMP()
    original.xmp?.set(.dc("subject"), "Bag", keywords)
    var policy = MetadataPolicy.all
    policy.dropped = [.group(.keywords)]
    let facts = RenditionFacts(width: 60, height: 40, isSRGB: true)
    return DeniedBytes(
      original, Curation(policy, for: facts), besides: allowed.map { Array($0.utf8) })
  }

  private static func found(_ denied: DeniedBytes, _ file: String) -> String? {
    denied.found(in: .bytes(Array(file.utf8))).map { String(decoding: $0, as: UTF8.self) }
  }

  private static let many = (100_000..<120_000).map { "xmp.iid:\($0)" }

  @Test func eachOfManyStringsIsFound() {
    let denied = Self.denied(Self.many)
    for text in [Self.many[0], Self.many[9_999], Self.many[19_999]] {
      #expect(Self.found(denied, "in front \(text) behind") == text)
      #expect(Self.found(denied, text) == text)
    }
    let others = (120_000..<140_000).map { "xmp.iid:\($0)" }
    #expect(Self.found(denied, others.joined(separator: " ")) == nil)
  }

  @Test func stringsInAllowedBytesAreNotDenied() {
    let allowed = Self.many.dropLast().joined(separator: " ")
    let denied = Self.denied(Self.many, besides: ["none of them", allowed])
    #expect(Self.found(denied, allowed) == nil)
    #expect(Self.found(denied, "\(allowed) \(Self.many[19_999])") == Self.many[19_999])
  }

  @Test func aStringIsDeniedIfOnlyItsBeginningIsAllowed() {
    let denied = Self.denied(["Quincewood", "Quincewood Lane"], besides: ["A Quincewood tree"])
    #expect(Self.found(denied, "Quincewood Road") == nil)
    #expect(Self.found(denied, "Quincewood Lane") == "Quincewood Lane")
  }

  @Test func aStringAcrossTwoPartsOfALongFileIsFound() {
    let denied = Self.denied(["Quincewood Lane"])
    let file = String(repeating: "Quince", count: 43_690) + "Quincewood Lane"
    #expect(Self.found(denied, file) == "Quincewood Lane")
  }
}
