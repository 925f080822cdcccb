import FileStructure
import Foundation
import PhotoMetadata
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Checks the tables of `docs/formats.md` against the values that ExifTool and libvips's readers
/// find in files.
///
/// `PHBATCH_RECORD=1` writes the tables again.
@Suite(.enabled(if: ExifTool.isHere)) struct FormatMatrixTests {
  private static let photos = ["jpeg", "png", "webp", "avif", "heic", "jxl", "tiff", "gif"]
  private static let formats = photos + ["dzi"]
  /// The formats that are read, including those that are not written.
  private static let sources = photos + ["jp2"]

  /// The properties of a photo that a file may store.
  private enum Trait: String, CaseIterable {
    case pixels, depth, profile, orientation, alpha
    case exif = "EXIF"
    case xmp = "XMP"
    case iptc = "IPTC"
  }

  private struct Found {
    var traits: Set<Trait> = []

    /// `wanted` is the expected picture, in 8-bit sRGB with alpha.
    init(_ file: [UInt8], _ tags: [String: String], wanted: Samples) throws {
      // The image is copied, because libvips 8.14 reads JPEG 2000 only once, and frees the profile
      // of HEIC and AVIF together with the first image that has it.
      let loaded = try Image.load(from: Source(bytes: file))
      var image = try loaded.materialized()
      let jp2 = try JP2Channels(of: .bytes(file))
      if let profile = jp2?.profile ?? loaded.blob("icc-profile-data") {
        image = try image.setting(["icc-profile-data": .blob(profile)])
      }
      let orientation = tags["IFD0:Orientation"] ?? "1"
      let isTurned = image.width == wanted.height
      if isTurned == (orientation == "6") && image.width * image.height == 96 * 64 {
        traits.insert(.orientation)
      }
      if image.format == .ushort { traits.insert(.depth) }
      // ExifTool does not read the codestream of JPEG XL, which contains the profile; libjxl uses
      // other names for the profile.
      let name = tags["ICC_Profile:ProfileDescription"] ?? "P3"
      if image.isDisplayP3 && ["P3", "RGB_D65_DCI_", "gamma 1"].contains(where: name.contains) {
        traits.insert(.profile)
      }
      if tags["IFD0:Model"] == "Box" || tags["XMP-tiff:Model"] == "Box" { traits.insert(.exif) }
      if tags["XMP-xmp:Rating"] == "4" { traits.insert(.xmp) }
      if tags["IPTC:Headline"] == "Front page" || tags["XMP-photoshop:Headline"] == "Front page" {
        traits.insert(.iptc)
      }
      // Colours are compared only at opaque pixels; alpha is checked separately.
      let upright =
        isTurned && orientation == "6"
        ? try image.applying("rot", ["angle": .choice("d90")]) : image
      let seen =
        try upright.metadataNames.contains("icc-profile-data")
        ? Self.inSRGB(upright)
        : Samples(upright).inEightBits
      guard seen.width == wanted.width, seen.height == wanted.height else { return }
      var (off, count) = (0, 0)
      for y in 0..<seen.height {
        for x in 0..<seen.width where wanted[x, y, 3] == 255 {
          for band in 0..<3 { off += abs(seen[x, y][band] - wanted[x, y][band]) }
          count += 3
        }
      }
      if count > 0 && off <= 4 * count {
        traits.insert(.pixels)
      } else {
        print("formats: off by \(off) in \(count) samples, \(tags["File:FileType"] ?? "?")")
      }
      let raw = try Samples(upright)
      let alphas = raw.bands == 4 ? Set((0..<raw.width).map { raw[$0, 9, 3] }) : []
      if alphas.count > 8 { traits.insert(.alpha) }
    }

    /// The samples converted to sRGB with the embedded profile, in 8 bits.
    private static func inSRGB(_ image: Image) throws -> Samples {
      try Samples(
        image.applying(
          "icc_transform",
          ["output-profile": .text("srgb"), "embedded": .flag(true), "depth": .integer(8)]))
    }
  }

  /// Colours inside sRGB, stored in Display P3 with 16 bits and smooth alpha.
  private static let picture: Samples = {
    var values: [Int] = []
    for y in 0..<64 {
      for x in 0..<96 {
        let (u, v) = (Double(x) / 96, Double(y) / 64)
        values += [0.3 + 0.4 * u, 0.6 - 0.2 * v, 0.4 + 0.3 * u * v, min(1, 0.3 + 2 * u)]
          .map { Int($0 * 65_535) }
      }
    }
    return Samples(width: 96, height: 64, bands: 4, maximum: 65_535, values: values)
  }()

  private static let turning: Set<String> = ["jpeg", "png", "webp", "tiff"]

  /// A photo with all data that its format can store.
  ///
  /// It is rotated if the format has an orientation tag.
  private static func original(_ format: String) throws -> [UInt8] {
    let isTurned = turning.contains(format)
    let lying =
      isTurned
      ? try Samples(picture.image().applying("rot", ["angle": .choice("d270")])) : picture
    let space = format == "gif" ? "" : #", "profile": "display-p3""#
    let plain =
      format == "jp2"
      ? try jp2()
      : try Studio.develop(
        lying.file(), "[]", output: #""format": "\#(format)", "metadata": "none"\#(space)"#)
    var tags = ["-XMP-xmp:Rating=4"]
    if format != "gif" { tags.append("-EXIF:Model=Box") }
    if isTurned { tags.append("-EXIF:Orientation#=6") }
    if ["jpeg", "tiff", "jp2"].contains(format) { tags.append("-IPTC:Headline=Front page") }
    let suffix = ["jpeg": "jpg", "tiff": "tif"][format] ?? format
    return try ExifTool.writing(tags, into: plain, suffix)
  }

  /// A JPEG 2000 file of the picture.
  ///
  /// The profile is added by hand, because libvips does not write one.
  private static func jp2() throws -> [UInt8] {
    let png = try Studio.develop(
      picture.file(), "[]", output: #""format": "png", "metadata": "none", "profile": "display-p3""#
    )
    let file = try Samples(file: png).file("jp2ksave_target", ["lossless": .flag(true)])
    let profile = StandardProfile.displayP3.bytes
    return try BoxEditing.replacing("colr", in: "jp2h", of: file, by: [2, 0, 0] + profile)
  }

  /// The file that shows the picture; for a pyramid, the tile that contains the whole picture.
  private static func rendition(
    _ original: [UInt8], _ format: String, inputs: String = "{}"
  ) throws -> ([UInt8], Rendering) {
    let own = [
      "jpeg": #", "quality": 92"#, "webp": #", "quality": 92"#, "avif": #", "quality": 85"#,
      "heic": #", "quality": 85"#, "jxl": #", "quality": 92"#, "dzi": #", "quality": 92"#,
    ]
    let space = format == "gif" ? "" : #", "profile": "preserve""#
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "inputs": \(inputs),
         "outputs": [{"name": "out", "format": "\(format)", "metadata": "all"\(space)
                      \(own[format] ?? "")}]}
        """)
    let (files, report) = try Studio.render(original, recipe)
    let file = try #require(files["out"])
    guard format == "dzi" else { return (file, report) }
    let archive = try DeepZoomTests.Archive(file)
    let levels = archive.files.keys.filter { $0.hasSuffix("/0_0.jpg") }
    let largest = levels.max { level($0) < level($1) }
    return (try #require(largest.flatMap { archive.files[$0] }), report)
  }

  /// The level of a tile, from the name of its folder.
  private static func level(_ tile: String) -> Int {
    tile.split(separator: "/").dropLast().last.flatMap { Int($0) } ?? 0
  }

  private static let head = [
    "| from \\ to | " + formats.joined(separator: " | ") + " |",
    "|---" + String(repeating: "|---", count: formats.count) + "|",
  ]

  /// The expected picture in 8 bits; `picture` has no profile, so its values are read as sRGB.
  private static func wanted() throws -> Samples {
    let wanted = try Samples(file: Studio.develop(picture.file(), "[]"))
    return wanted.inEightBits
  }

  private static func row(
    _ source: String, _ original: [UInt8], has: Set<Trait>, inputs: String = "{}", _ wanted: Samples
  ) throws -> String {
    let files = try formats.map { try rendition(original, $0, inputs: inputs).0 }
    let cells = try zip(files, ExifTool.tags(of: files)).map { file, tags in
      let kept = try Found(file, tags, wanted: wanted).traits
      let lost = Trait.allCases.filter { has.contains($0) && !kept.contains($0) }
      return lost.isEmpty ? "all" : "without \(lost.map(\.rawValue).joined(separator: ", "))"
    }
    let names = Trait.allCases.filter(has.contains).map(\.rawValue).joined(separator: ", ")
    return "| \(source): \(names) | \(cells.joined(separator: " | ")) |"
  }

  private static func table() throws -> [String] {
    let wanted = try wanted()
    let originals = try sources.map { try original($0) }
    let tags = try ExifTool.tags(of: originals)
    return try head
      + sources.indices.map { index in
        let has = try Found(originals[index], tags[index], wanted: wanted).traits
        return try row(sources[index], originals[index], has: has, wanted)
      }
  }

  /// The table of the formats that are read on request.
  ///
  /// The test files contain the properties that the table names.
  private static func requestedTable() throws -> [String] {
    let wanted = try wanted()
    return try head
      + RequestedOriginals.formats.map { source in
        let isWide = source == "exr"
        let original = try RequestedOriginals.file(source, picture, plain: wanted)
        var has: Set<Trait> = [.pixels]
        if isWide { has.insert(.profile) }
        if RequestedOriginals.hasDepth(source) { has.insert(.depth) }
        if RequestedOriginals.hasAlpha(source) { has.insert(.alpha) }
        let inputs = #"{"formats": ["\#(source)"]}"#
        // In a file with the profile Display P3, the same values mean other colours than in sRGB.
        let shown = try isWide ? inDisplayP3(wanted) : wanted
        return try row(source, original, has: has, inputs: inputs, shown)
      }
  }

  /// The picture with its values interpreted as Display P3, converted to sRGB by Little CMS.
  private static func inDisplayP3(_ picture: Samples) throws -> Samples {
    try Samples(
      picture.image().setting(["icc-profile-data": .blob(StandardProfile.displayP3.bytes)])
        .applying(
          "icc_transform",
          ["output-profile": .text("srgb"), "embedded": .flag(true), "depth": .integer(8)]))
  }

  private static func gainMapPhoto() throws -> [UInt8] {
    let settings = #""format": "jpeg", "metadata": "none""#
    let plain = try Studio.develop(picture.file(), "[]", output: settings)
    return UltraHDRFile.bytes(base: plain, map: plain, .adobe)
  }

  /// The table of animations and gain maps.
  private static func tableOfPictures() throws -> [String] {
    let animations = try ["gif", "webp"].map { source in
      let original = try AnimationOutputTests.written(source)
      let cells = try formats.map { format in
        let (file, _) = try rendition(original, format, inputs: #"{"frames": "all"}"#)
        let isWhole = try Image.load(from: Source(bytes: file)).integer("n-pages") == 3
        return isWhole ? "all" : "the first frame"
      }
      return "| \(source): animation | \(cells.joined(separator: " | ")) |"
    }
    let original = try gainMapPhoto()
    let renditions = try formats.map { try rendition(original, $0) }
    let tags = try ExifTool.tags(of: renditions.map(\.0))
    let cells = zip(formats, zip(renditions, tags)).map { format, found in
      let ((file, report), tags) = found
      let isSaid = report.warnings.contains { $0.contains("gain map") }
      let isAnnounced = tags.keys.contains { $0.contains("hdrgm") }
      let isThere = isAnnounced || String(decoding: file, as: UTF8.self).contains("hdrgm")
      if GainMap(of: .bytes(file)) != nil { return "with gain map" }
      if isThere { return "announced" }
      return isSaid || format == "dzi" ? "without gain map" : "without gain map, unsaid"
    }
    return head + animations + ["| jpeg: gain map | \(cells.joined(separator: " | ")) |"]
  }

  @Test func theTablesOfTheFormatsPageMatchTheFiles() throws {
    for (name, lines) in [
      ("formats", try Self.table()), ("formats on request", try Self.requestedTable()),
      ("animations and gain maps", try Self.tableOfPictures()),
    ] {
      let shown = try DocumentTable(name, on: "formats.md").lines(recording: lines)
      #expect(shown == lines, "the table '\(name)' of docs/formats.md")
    }
  }
}

extension Image {
  /// True if the embedded profile has the matrix of Display P3.
  fileprivate var isDisplayP3: Bool {
    guard let profile = blob("icc-profile-data"),
      case .matrix(_, _, _, let found) = ICCProfile(profile),
      case .matrix(_, _, _, let wanted) = ICCProfile(StandardProfile.displayP3.bytes)
    else { return false }
    return zip(found.rows, wanted.rows).allSatisfy { row, other in
      (0..<3).allSatisfy { abs(row[$0] - other[$0]) < 0.002 }
    }
  }
}

extension Samples {
  fileprivate var inEightBits: Samples {
    Samples(
      width: width, height: height, bands: bands, maximum: 255,
      values: values.map { $0 * 255 / maximum })
  }
}
