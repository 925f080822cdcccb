import FileStructure
import Foundation
import PhotoMetadata
import PhotoRecipes
import TestSupport
import Testing

/// The page `docs/metadata.md`: made of what ExifTool finds; `PHBATCH_RECORD=1` writes it anew.
@Suite(.enabled(if: ExifTool.isHere)) struct MatrixTests {
  private static let formats = ["jpeg", "png", "webp", "tiff", "heic", "avif", "jxl", "gif"]
  /// With those that are read alone.
  private static let sources = formats + ["jp2"]
  /// A statement for each block, and the tags that prove it.
  private static let statements: [(name: String, proofs: [String])] = [
    ("camera", ["IFD0:Model", "XMP-tiff:Model"]), ("exposure", ["ExifIFD:FNumber"]),
    (
      "date", ["ExifIFD:DateTimeOriginal", "XMP-exif:DateTimeOriginal"]
    ),
    ("GPS", ["GPS:GPSLatitude", "XMP-exif:GPSLatitude"]),
    ("XMP", ["XMP-xmp:Rating"]), ("IPTC", ["IPTC:Headline", "XMP-photoshop:Headline"]),
    ("comment", ["File:Comment", "PNG:Comment", "XMP-exif:UserComment", "GIF:Comment"]),
  ]
  private static let place = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../docs/metadata.md").standardizedFileURL

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

  @Test func thePageIsTrue() throws {
    let page = """
      # Metadata

      What a rendition says of its photo is decided by the output's `metadata`, and is the same in
      every format. The colour profile is always embedded, the orientation is always that of the
      pixels, thumbnails are left out, and sizes and colour space are those of the rendition.

      ## What a policy keeps

      \(Self.policies().joined(separator: "\n"))

      `gps` decides over coordinates in EXIF and XMP; without them names of places and the camera
      maker's own block go as well. `all` and `archive` add what the rendition was made from.

      A rule of a list counts in every block that says the same: who drops `dc:subject` drops the
      keywords of IPTC, and who drops `0x013b` or `dc:creator` drops the artist of EXIF, the creator
      of XMP and the by-line of IPTC. A tag that leads to a directory (`0x8769`, `0x8825`) stands for
      all of it. Dropping a latitude, a longitude or what they stand in (`0x2`, `exif:GPSLatitude`,
      `exif:*`, `0x8825`) is dropping `gps`.

      ## What survives, from format to format

      Under `all`: camera, exposure, date and GPS of EXIF, a rating of XMP, a headline of IPTC, and a
      comment, as ExifTool finds them. What a format has no place for is written as XMP.

      \(try Self.table().joined(separator: "\n"))

      This page is written by a test, which fails when it is no longer true.

      """
    if ProcessInfo.processInfo.environment["PHBATCH_RECORD"] == "1" {
      try Data(page.utf8).write(to: Self.place)
    }
    #expect(try String(contentsOf: Self.place, encoding: .utf8) == page)
  }
}
