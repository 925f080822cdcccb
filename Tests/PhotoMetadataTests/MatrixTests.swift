import FileStructure
import Foundation
import PhotoMetadata
import PhotoRecipes
import TestSupport
import Testing

/// The tables of `docs/metadata.md`, compared with the tags that ExifTool finds; `PHBATCH_RECORD=1`
/// writes them again.
@Suite(.enabled(if: ExifTool.isHere)) struct MatrixTests {
  private static let formats = ["jpeg", "png", "webp", "tiff", "heic", "avif", "jxl", "gif"]
  /// The formats that are read, including those that are not written.
  private static let sources = formats + ["jp2"]
  /// The kinds of metadata in the table; at least one of the tags of each kind must be found.
  private static let statements: [(name: String, proofs: [String])] = [
    ("camera", ["IFD0:Model", "XMP-tiff:Model"]),
    ("exposure", ["ExifIFD:FNumber", "XMP-exif:FNumber"]),
    ("date", ["ExifIFD:DateTimeOriginal", "XMP-exif:DateTimeOriginal"]),
    ("GPS", ["GPS:GPSLatitude", "XMP-exif:GPSLatitude"]),
    ("XMP", ["XMP-xmp:Rating"]), ("IPTC", ["IPTC:Headline", "XMP-photoshop:Headline"]),
    ("comment", ["File:Comment", "PNG:Comment", "XMP-exif:UserComment", "GIF:Comment"]),
  ]

  private static func original(_ format: String) throws -> [UInt8] {
    let tags = [
      "-EXIF:Model=Box", "-EXIF:FNumber=2.8", "-EXIF:DateTimeOriginal=2020:01:02 03:04:05",
      "-EXIF:GPSLatitude=48.5", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=2.5",
      "-EXIF:GPSLongitudeRef=E", "-XMP-xmp:Rating=4", "-IPTC:Headline=Front page",
      "-Comment=Said aside",
    ]
    if format == "jp2" { return try ExifTool.writing(tags, into: Specimen.plain("jp2"), "jp2") }
    let full = try ExifTool.writing(tags, into: Specimen.plain("jpeg"), "jpg")
    return try Metadata(of: .bytes(full)).embedded(in: Specimen.plain(format))
  }

  private static func table() throws -> [String] {
    let facts = RenditionFacts(width: 60, height: 40, isSRGB: true)
    var lines = [
      "| from \\ to | " + formats.joined(separator: " | ") + " |",
      "|---" + String(repeating: "|---", count: formats.count) + "|",
    ]
    for source in sources {
      let original = Metadata(of: .bytes(try original(source)))
      let curated = Curation(.all, for: facts).curated(original)
      let tags = try ExifTool.tags(of: formats.map { try curated.embedded(in: Specimen.plain($0)) })
      let cells = tags.map { tags in
        let lost = statements.filter { !$0.proofs.contains { tags[$0] != nil } }.map(\.name)
        return lost.isEmpty ? "all" : "without \(lost.joined(separator: ", "))"
      }
      lines.append("| \(source) | \(cells.joined(separator: " | ")) |")
    }
    return lines
  }

  private static func policies() -> [String] {
    let presets: [MetadataPolicy] = [.web, .all, .archive, .none]
    var lines = [
      "| group | " + presets.map { "`\($0.preset.rawValue)`" }.joined(separator: " | ") + " |",
      "|---|---|---|---|---|",
    ]
    for group in MetadataGroup.allCases {
      let cells = presets.map { $0.keeps(group) ? "kept" : "" }
      lines.append("| `\(group.rawValue)` | \(cells.joined(separator: " | ")) |")
    }
    return lines
  }

  @Test func theTablesInTheManualAgreeWithTheTagsThatExifToolFinds() throws {
    for (name, lines) in [
      ("presets", Self.policies()), ("metadata between formats", try Self.table()),
    ] {
      let shown = try DocumentTable(name, on: "metadata.md").lines(recording: lines)
      #expect(shown == lines, "the table '\(name)' of docs/metadata.md")
    }
  }
}
