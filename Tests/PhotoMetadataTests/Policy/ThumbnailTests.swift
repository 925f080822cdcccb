import FileStructure
import Foundation
import PhotoRecipes
import SystemPackage
import TestSupport
import Testing

@testable import PhotoMetadata

/// No rendition contains a thumbnail of its original, because the thumbnail shows the photo
/// unedited.
@Suite struct ThumbnailTests {
  private static let formats = Specimen.formats + ["gif"]
  private static let facts = RenditionFacts(width: 60, height: 40, isSRGB: true)

  /// Parts of the tag names that ExifTool uses for additional pictures in a file.
  private static let words = [
    "ThumbnailImage", "ThumbnailTIFF", "ThumbnailOffset", "ThumbnailsImage", "PhotoshopThumbnail",
    "PreviewImage", "JpgFromRaw", "OtherImageStart", "JFXX",
  ]

  private static func pictures(_ tags: [String: String]) -> [String] {
    tags.keys.filter { tag in
      words.contains { tag.contains($0) } && tags[tag]?.hasPrefix("(Binary data 0") != true
    }.sorted()
  }

  /// A JPEG file with the thumbnails of cameras, JFIF and Adobe's programs.
  private static let original = Result {
    let folder = try TemporaryFolder()
    let small = try SyntheticPhoto.jpeg(width: 32, height: 24)
    try folder.write(small, to: "small.jpg")
    let path = folder["small.jpg"].string
    let file = try ExifTool.writing(
      [
        "-EXIF:Model=Box", "-ThumbnailImage<=\(path)", "-Photoshop:PhotoshopThumbnail<=\(path)",
        "-IPTC:Headline=Front page", "-XMP-xmp:ThumbnailImage=/9j/",
        "-XMP-xmp:ThumbnailFormat=JPEG",
        "-XMP-xmp:ThumbnailWidth=32", "-XMP-xmp:ThumbnailHeight=24", "-XMP-xmp:Rating=4",
      ], into: Specimen.plain("jpeg"), "jpg")
    // JFIF's extension; the code 0x10 means a JPEG picture.
    let extra = Array("JFXX\0".utf8) + [0x10] + small
    let segment = [0xFF, 0xE0] + BoxBytes.number(extra.count + 2, 2).map { UInt8($0) } + extra
    let jfif = 4 + Int(file[4]) << 8 + Int(file[5])
    return Array(file[..<jfif]) + segment + Array(file[jfif...])
  }

  @Test(.enabled(if: ExifTool.isHere), arguments: [MetadataPolicy.all, .archive])
  func thumbnailsOfAllKindsAreLeftOutOfRenditions(_ policy: MetadataPolicy) throws {
    let file = try Self.original.get()
    let before = try ExifTool.tags(of: file)
    #expect(Self.pictures(before).contains("IFD1:ThumbnailImage"))
    #expect(Self.pictures(before).contains("Photoshop:PhotoshopThumbnail"))
    #expect(Self.pictures(before).contains("XMP-xmp:ThumbnailImage"))
    #expect(before.keys.contains { $0.contains("JFXX") || $0.hasPrefix("JFIF:Thumb") })
    let original = Metadata(of: .bytes(file))
    let curated = Curation(policy, for: Self.facts).curated(original)
    let files = try Self.formats.map { try curated.embedded(in: Specimen.plain($0)) }
    for (format, tags) in zip(Self.formats, try ExifTool.tags(of: files)) {
      #expect(Self.pictures(tags) == [], "\(format)")
      #expect(tags["XMP-xmp:Rating"] == "4", "\(format)")
    }
  }

  /// Embedding metadata removes a thumbnail that was already in the finished file.
  @Test(.enabled(if: ExifTool.isHere)) func thumbnailsThatTheFinishedFileAlreadyHadAreRemoved()
    throws
  {
    let file = try Self.original.get()
    var metadata = Metadata()
    metadata.exif = Metadata(of: .bytes(file)).exif
    let tags = try ExifTool.tags(of: metadata.embedded(in: file))
    #expect(tags["IFD0:Model"] == "Box")
    #expect(Self.pictures(tags).filter { !$0.contains("JF") } == [])
  }

  /// Renditions of photos by cameras and phones contain no thumbnail.
  ///
  /// ExifTool lists previews in MakerNotes even if all their bytes are zeros.
  @Test(.enabled(if: ExifTool.isHere && Corpus.isHere), arguments: ["jpeg", "tiff"])
  func renditionsOfRealPhotosContainNoThumbnail(_ format: String) throws {
    let photos = ["photos", "metadata"].flatMap { Corpus.files(below: $0) }
      .filter { $0.lowercased().hasSuffix(".jpg") }
      .compactMap { try? Data(contentsOf: URL(filePath: $0)) }
      .filter { $0.count < 4 << 20 }.map { Array($0) }
    #expect(photos.count > 60)
    let plain = try Specimen.plain(format)
    let originals = photos.map { Metadata(of: .bytes($0)) }
    let files = try originals.map {
      try Curation(.archive, for: Self.facts).curated($0).embedded(in: plain)
    }
    var blanked = 0
    for (original, file) in zip(originals, files) {
      guard let before = original.exif?[.makerNote]?.bytes,
        let after = Metadata(of: .bytes(file)).exif?[.makerNote]?.bytes
      else { continue }
      #expect(MakerNote.withoutPictures(after) == after)
      if MakerNote.withoutPictures(before) != before { blanked += 1 }
    }
    #expect(blanked > 0)
    var found: [String] = []
    for (number, tags) in try ExifTool.tags(of: files).enumerated() {
      let pictures = Self.pictures(tags).filter { tag in
        !Self.makers.contains { tag.hasPrefix($0) }
      }
      if !pictures.isEmpty { found.append("\(number): \(pictures)") }
    }
    #expect(found == [])
  }

  private static let makers = ["Canon:", "Casio:", "PreviewIFD:"]

  /// The curation removes thumbnails that Windows writes, and pictures in unknown tags.
  @Test func previewsInOtherTagsAreRemoved() throws {
    let picture = try SyntheticPhoto.jpeg(width: 32, height: 24)
    var metadata = Metadata()
    var exif = EXIF()
    exif.set(.artist, text: "Ada")
    let tags: [(UInt16, [UInt8])] = [
      (0x5012, [1, 0, 0, 0]), (0x501B, [1, 2, 3, 4]), (0x5023, [6, 0]), (0xB0B0, picture),
      (0xB0B1, Array("before".utf8) + picture), (0xB0B2, [0xFF, 0xD8, 0xFF]),
    ]
    for directory in [EXIF.Directory.primary, .photo] {
      for (tag, bytes) in tags {
        exif.set(.init(tag: tag, type: .undefined, bytes: bytes), in: directory)
      }
    }
    metadata.exif = exif
    let leak = try metadata.embedded(in: Specimen.plain("jpeg"))
    for policy in [MetadataPolicy.all, .archive] {
      let curation = Curation(policy, for: Self.facts)
      let curated = curation.curated(metadata)
      #expect(curated.exif?[.photo].contains { $0.tag == 0xB0B2 } == true)
      let kept = (curated.exif?[.primary] ?? []).map(\.tag)
      #expect(kept.contains(0x013B) && !kept.contains { tags.prefix(5).map(\.0).contains($0) })
      let file = try curated.embedded(in: Specimen.plain("jpeg"))
      try Audit(metadata, curation).check(.bytes(file))
      #expect(throws: MetadataError.self) {
        try Audit(metadata, curation).check(.bytes(leak))
      }
    }
  }

  /// The thumbnail of a composite's ingredient, which is in the composite's XMP, is removed.
  @Test func thumbnailsOfTheIngredientsOfACompositeAreRemoved() throws {
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
       xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
       xmlns:xmpGImg="http://ns.adobe.com/xap/1.0/g/img/">
       <xmpMM:Pantry><rdf:Bag><rdf:li rdf:parseType="Resource"><xmp:Label>part</xmp:Label>
       <xmp:Thumbnails><rdf:Alt><rdf:li rdf:parseType="Resource"><xmpGImg:image>/9j/AAA</xmpGImg:image>
       </rdf:li></rdf:Alt></xmp:Thumbnails></rdf:li></rdf:Bag></xmpMM:Pantry>
       </rdf:Description></rdf:RDF></x:xmpmeta>
      """
    var metadata = Metadata()
    metadata.xmp = try XMP(Array(text.utf8))
    let curated = Curation(.archive, for: Self.facts).curated(metadata)
    let packet = String(decoding: try #require(curated.xmp?.packet), as: UTF8.self)
    #expect(packet.contains("part"))
    #expect(!packet.contains("/9j/AAA") && !packet.contains("Thumbnails"))
  }
}
