import FileStructure
import Foundation
import PhotoMetadata
import PhotoRecipes
import TestSupport
import Testing

/// Photos of cameras, phones and editors: ExifTool finds the same tags in their renditions.
@Suite(.enabled(if: ExifTool.isHere && Corpus.isHere)) struct RealPhotoTests {
  private static let extensions = ["jpg", "heic", "avif", "webp", "tif", "tiff", "png", "jxl"]

  private static let photos: [[UInt8]] = {
    let paths = ["metadata", "aux/ios26", "formats/heic"].flatMap { Corpus.files(below: $0) }
    let photos = paths.filter { path in
      extensions.contains { path.lowercased().hasSuffix(".\($0)") }
    }
    let files = photos.compactMap { try? Data(contentsOf: URL(filePath: $0)) }
    return files.filter { $0.count < 8 << 20 }.map { [UInt8]($0) }
  }()

  private static let facts = RenditionFacts(
    width: 60, height: 40, isSRGB: true, keepsFrame: true, software: "phbatch", recipe: "r 1")

  /// The tags that are not compared, because they describe how a picture is stored, or because a
  /// rendition sets them.
  private static let others = [
    "IFD0:Orientation", "IFD0:XResolution", "IFD0:YResolution", "IFD0:ResolutionUnit",
    "IFD0:YCbCrPositioning", "IFD0:ImageWidth", "IFD0:ImageHeight", "IFD0:BitsPerSample",
    "IFD0:PhotometricInterpretation", "IFD0:SamplesPerPixel", "IFD0:Compression",
    "IFD0:ExifVersion", "IFD0:StripOffsets", "IFD0:RowsPerStrip", "IFD0:StripByteCounts",
    "IFD0:PlanarConfiguration", "IFD0:SubfileType", "IFD0:ReferenceBlackWhite",
    "IFD0:YCbCrCoefficients", "IFD0:YCbCrSubSampling", "IFD0:WhitePoint",
    "IFD0:PrimaryChromaticities", "IFD0:TransferFunction", "IFD0:PrintIM", "IFD0:PageNumber",
    "IFD0:Predictor", "IFD0:FillOrder", "IFD0:Padding", "ExifIFD:Padding", "IFD0:PhotoshopSettings",
    "IFD0:SampleFormat", "IFD0:ExtraSamples", "IFD0:TileWidth", "IFD0:TileLength",
    "IFD0:OtherImageLength", "IFD0:BlackLevelDeltaH",
    "ExifIFD:ExifVersion", "ExifIFD:ColorSpace", "ExifIFD:ExifImageWidth",
    "ExifIFD:ExifImageHeight", "ExifIFD:ComponentsConfiguration", "ExifIFD:FlashpixVersion",
    "ExifIFD:CompressedBitsPerPixel", "ExifIFD:FocalPlaneXResolution",
    "ExifIFD:FocalPlaneYResolution", "ExifIFD:FocalPlaneResolutionUnit", "ExifIFD:SubjectArea",
    "ExifIFD:SubjectLocation", "ExifIFD:Gamma", "ExifIFD:OffsetSchema", "ExifIFD:RelatedSoundFile",
  ]

  private static let makers = ["Apple:", "Canon:", "FujiFilm:", "Nikon:", "Panasonic:"]

  /// The tags that must have the same values; in TIFF without MakerNotes, most of which cannot be
  /// moved there.
  private static func compared(_ tags: [String: String], _ format: String) -> [String: String] {
    tags.filter { tag in
      (["IFD0:", "ExifIFD:", "GPS:"] + (format == "tiff" ? [] : makers))
        .contains { tag.key.hasPrefix($0) }
        && !others.contains(tag.key) && !tag.key.contains("0x")
        && !tag.value.hasPrefix("(Binary data")
    }
  }

  @Test(arguments: ["jpeg", "tiff", "heic"])
  func thePolicyArchiveKeepsAllTagsOfRealPhotos(_ format: String) throws {
    #expect(Self.photos.count > 30)
    var renditions: [[UInt8]] = []
    for photo in Self.photos {
      let original = Metadata(of: .bytes(photo))
      let curation = Curation(.archive, for: Self.facts)
      let file = try curation.curated(original).embedded(in: Specimen.plain(format))
      try Audit(original, curation).check(.bytes(file))
      renditions.append(file)
    }
    let before = try Self.before.get()
    let after = try ExifTool.tags(of: renditions)
    var lost: [String] = []
    for (before, after) in zip(before, after) {
      for (name, value) in Self.compared(before, format) where after[name] != value {
        lost.append(
          "\(before["SourceFile"] ?? "") \(name) \(value.prefix(40)) → \(after[name] ?? "-")")
      }
    }
    #expect(lost.isEmpty, "\(lost.count): \(lost.prefix(12).joined(separator: "\n"))")
  }

  private static let before = Result { try ExifTool.tags(of: photos) }

  @Test func thePolicyWebKeepsNoCoordinatesOrSerialNumbersOfRealPhotos() throws {
    for format in ["jpeg", "tiff"] {
      var renditions: [[UInt8]] = []
      for photo in Self.photos {
        let original = Metadata(of: .bytes(photo))
        let curation = Curation(.web, for: Self.facts)
        let file = try curation.curated(original).embedded(in: Specimen.plain(format))
        try Audit(original, curation).check(.bytes(file))
        renditions.append(file)
      }
      for tags in try ExifTool.tags(of: renditions) {
        #expect(!tags.keys.contains { $0.contains("GPS") || $0.contains("Serial") }, "\(tags)")
        #expect(tags["IFD0:Make"] == nil)
      }
    }
  }
}
