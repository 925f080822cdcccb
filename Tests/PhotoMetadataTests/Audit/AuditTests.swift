import FileStructure
import PhotoMetadata
import PhotoRecipes
import TestSupport
import Testing

/// The audit finds metadata that the policy denies anywhere in a finished file.
@Suite(.enabled(if: ExifTool.isHere)) struct AuditTests {
  private static let facts = RenditionFacts(width: 60, height: 40, isSRGB: true)

  private static func audit(_ policy: MetadataPolicy) throws -> Audit {
    Audit(Metadata(of: .bytes(try Specimen.full.get())), Curation(policy, for: facts))
  }

  /// The audit's finding; nil if it finds nothing.
  private static func verdict(_ file: [UInt8], _ policy: MetadataPolicy) throws -> String? {
    let audit = try audit(policy)
    do throws(MetadataError) {
      try audit.check(.bytes(file))
      return nil
    } catch {
      guard case .denied(let what) = error else { throw error }
      return what
    }
  }

  @Test(arguments: Specimen.formats) func theAuditFindsMetadataBlocksOfTheOriginal(
    _ format: String
  ) throws {
    let all = try Metadata(of: .bytes(Specimen.full.get())).embedded(in: Specimen.plain(format))
    #expect(try Self.verdict(all, .web) != nil)
    #expect(try Self.verdict(all, .none) != nil)
    #expect(try Self.verdict(Specimen.plain(format), .none) == nil)
  }

  @Test(arguments: [
    ["-EXIF:GPSLatitude=10", "-EXIF:GPSLatitudeRef=N"], ["-EXIF:SerialNumber=55555"],
    ["-XMP-aux:SerialNumber=55555"], ["-XMP-exif:GPSLatitude=10"], ["-IPTC:City=Rome"],
    ["-XMP-GDepth:Format=RangeInverse"], ["-Comment=said"], ["-EXIF:UserComment=said"],
  ])
  func theAuditFindsTagsThatThePolicyDenies(_ arguments: [String]) throws {
    let file = try ExifTool.writing(arguments, into: Specimen.plain("jpeg"), "jpg")
    #expect(try Self.verdict(file, .web) != nil, "\(arguments)")
  }

  @Test(arguments: ["jpeg", "png", "webp", "gif", "tiff"])
  func theAuditFindsTextsOfTheOriginalAnywhereInTheFile(_ format: String) throws {
    // The texts are inserted outside all metadata blocks, as an encoder might leave them.
    let plain = try Specimen.plain(format)
    for word in ["SERIAL4711", "LENSNAME 35mm", "Paris sur Seine"] {
      var file = plain
      file.replaceSubrange((plain.count / 2)..<(plain.count / 2), with: Array(word.utf8))
      #expect(try Self.verdict(file, .web) != nil, "\(word)")
      #expect(try Self.verdict(plain + Array(word.utf8), .web) != nil, "\(word)")
    }
  }

  @Test func theAuditFindsTextsOfTheOriginalInFilesOfUnknownFormats() throws {
    #expect(try Self.verdict(Array("PK and SERIAL4711 too".utf8), .web) != nil)
    #expect(try Self.verdict(Array("PK and nothing of it".utf8), .web) == nil)
  }

  @Test func theAuditFindsAThumbnail() throws {
    let thumbnail = try Specimen.plain("jpeg")
    let folder = try TemporaryFolder()
    try folder.write(thumbnail, to: "thumbnail.jpg")
    let file = try ExifTool.writing(
      ["-EXIF:Artist=Ada Lovelace", "-ThumbnailImage<=\(folder["thumbnail.jpg"])"],
      into: Specimen.plain("jpeg"), "jpg")
    #expect(try Self.verdict(file, .web) == "a thumbnail")
  }

  @Test func theAuditIgnoresATextThatThePolicyAllowsInAnotherBlock() throws {
    let curation = Curation(.web, for: Self.facts)
    let original = Metadata(of: .bytes(try Specimen.full.get()))
    // The original has the creator in EXIF, IPTC and XMP; a text that the policy allows in one of
    // these blocks is not reported.
    let file = try curation.curated(original).embedded(in: Specimen.plain("jpeg"))
    try Audit(original, curation).check(.bytes(file))
  }
}
