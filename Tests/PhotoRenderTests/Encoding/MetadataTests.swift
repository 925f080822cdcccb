import Foundation
import PhotoRender
import TestSupport
import Testing
import Vips

/// The metadata that renditions copy from a photo; it is the same in all formats.
@Suite struct MetadataTests {
  private static let formats = ["jpeg", "png", "webp", "tiff"]

  /// A rotated photo with all metadata that cameras and editors write; the values are words that a
  /// test can search for.
  static func photo() throws -> [UInt8] {
    let xmp = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Label="XMPSECRET"/></rdf:RDF></x:xmpmeta>
      """
    let thumbnail = try Samples.flat([1, 2, 3], 16, 12).file("jpegsave_target")
    return try Samples.flat([90, 120, 60], 48, 32).file(
      "jpegsave_target",
      fields: [
        "orientation": .integer(6), "exif-ifd0-Copyright": .text("COPYRIGHT (c) Ada (ASCII)"),
        "exif-ifd0-Artist": .text("ARTIST Ada"), "exif-ifd0-Make": .text("CAMERASECRET"),
        "exif-ifd2-DateTimeOriginal": .text("2020:01:02 03:04:05"),
        "exif-ifd2-PixelXDimension": .text("48"), "exif-ifd2-PixelYDimension": .text("32"),
        "exif-ifd3-GPSLatitude": .text("48/1 51/1 30/1"),
        "exif-ifd3-GPSLatitudeRef": .text("N"), "xmp-data": .blob(Array(xmp.utf8)),
        "iptc-data": .blob(
          Array("Photoshop 3.0\08BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 15, 0x1C, 2, 25, 0, 10]
            + Array("IPTCSECRET".utf8) + [0]),
        "jpeg-thumbnail-data": .blob(thumbnail),
      ])
  }

  private static func rendition(_ format: String, _ policy: String) throws -> [UInt8] {
    try Studio.develop(
      photo(), #"[{"filter": "resize", "width": 20}]"#,
      output: #""format": "\#(format)", "metadata": \#(policy)"#)
  }

  @Test func theTestPhotoContainsAllMetadata() throws {
    let text = String(decoding: try Self.photo(), as: UTF8.self)
    for word in ["COPYRIGHT", "ARTIST", "CAMERASECRET", "XMPSECRET", "IPTCSECRET", "2020:01"] {
      #expect(text.contains(word), "\(word)")
    }
  }

  @Test(arguments: formats, ["web", "none"]) func renditionsForTheWebContainNoPrivateMetadata(
    _ format: String, _ policy: String
  ) throws {
    let file = try Self.rendition(format, "\"\(policy)\"")
    let text = String(decoding: file, as: UTF8.self)
    for word in ["CAMERASECRET", "XMPSECRET", "IPTCSECRET", "2020:01"] {
      #expect(!text.contains(word), "\(word)")
    }
    for word in ["COPYRIGHT (c) Ada", "ARTIST Ada"] {
      #expect(text.contains(word) == (policy == "web"), "\(word)")
    }
    let names = try Image.load(from: Source(bytes: file)).metadataNames
    #expect(!names.contains { $0.contains("GPS") || $0 == "jpeg-thumbnail-data" }, "\(names)")
    #expect(names.contains("icc-profile-data"))
  }

  @Test(.enabled(if: ExifTool.isHere), arguments: formats) func exifToolFindsNoPrivateMetadata(
    _ format: String
  ) throws {
    let web = try ExifTool.tags(of: Self.rendition(format, #""web""#))
    #expect(web["IFD0:Artist"] == "ARTIST Ada" && web["IFD0:Copyright"] == "COPYRIGHT (c) Ada")
    #expect(web["ExifIFD:ColorSpace"] == "1")
    let none = try ExifTool.tags(of: Self.rendition(format, #""none""#))
    #expect(!none.keys.contains { $0.hasPrefix("ExifIFD") || $0.hasPrefix("IFD0:Art") })
    let groups = ["GPS", "XMP", "IPTC", "IFD1", "MakerNotes", "Photoshop"]
    for tags in [web, none] {
      #expect(tags["ICC_Profile:ProfileDescription"] == "sRGB")
      #expect(!tags.keys.contains { key in groups.contains { key.hasPrefix($0) } }, "\(tags.keys)")
      #expect(tags["IFD0:Make"] == nil)
    }
  }

  @Test(.enabled(if: ExifTool.isHere), arguments: formats) func exifToolFindsAllMetadataInItsPlace(
    _ format: String
  ) throws {
    let tags = try ExifTool.tags(of: Self.rendition(format, #""all""#))
    #expect(tags["IFD0:Make"] == "CAMERASECRET" && tags["IFD0:Orientation"] == "1", "\(tags)")
    #expect(tags["ExifIFD:ExifImageWidth"] == "20" && tags["ExifIFD:ExifImageHeight"] == "30")
    #expect(tags["GPS:GPSLatitude"] == "48.8583333333333", "\(tags)")
    #expect(tags["XMP-xmp:Label"] == "XMPSECRET")
    #expect(tags["IPTC:Keywords"] == "IPTCSECRET" || tags["XMP-dc:Subject"] == "IPTCSECRET")
    #expect(tags["XMP-xmpMM:HistoryParameters"] == "recipe org.example.test 1.0.0")
    #expect(!tags.keys.contains { $0.hasPrefix("IFD1") }, "\(tags)")
  }

  @Test(arguments: formats) func textsOfTheRecipeAreWrittenAsMetadata(_ format: String) throws {
    let policy = #"{"preset": "none", "set": {"copyright": "(c) {artist} {date:yyyy}"}}"#
    let file = try Self.rendition(format, policy)
    #expect(String(decoding: file, as: UTF8.self).contains("(c) ARTIST Ada 2020"))
  }

  @Test(
    .enabled(if: ExifTool.isHere), arguments: ["EXIF:Orientation#=6", "XMP-tiff:Orientation#=6"])
  func aPNGPhotoIsRotatedByItsOrientationTag(_ tag: String) throws {
    let photo = try ExifTool.writing(
      ["-\(tag)"],
      into: Samples.flat([90, 120, 60], 48, 32).file("pngsave_target", ["strip": .flag(true)]),
      "png")
    let file = try Studio.develop(photo, "[]", output: #""format": "png", "metadata": "all""#)
    let image = try Image.load(from: Source(bytes: file))
    #expect(image.width == 32 && image.height == 48)
    #expect(try ExifTool.tags(of: file)["IFD0:Orientation"] ?? "1" == "1")
  }

  /// Regions of the photo move with their pixels; a region without a position is kept only if the
  /// rendition has the photo's frame.
  @Test(
    .enabled(if: ExifTool.isHere),
    arguments: [
      (#"{"filter": "resize", "width": 20}"#, 1, "0.1", true),
      (#"{"filter": "exposure", "stops": 1}"#, 1, "0.1", true),
      (#"{"filter": "crop", "width": 0.5, "height": 0.5}"#, 1, "0.0", false),
      (#"{"filter": "resize", "width": 20, "height": 20, "fit": "cover"}"#, 1, "0.0", false),
      (#"{"filter": "flip"}"#, 1, "0.6", false),
      (#"{"filter": "resize", "width": 20}"#, 2, "0.6", false),
    ])
  func regionsMoveWithTheirPixels(
    _ step: String, _ orientation: Int, _ left: String, _ isSameFrame: Bool
  ) throws {
    let photo = try ExifTool.writing(
      [
        "-EXIF:Orientation#=\(orientation)", "-XMP-iptcExt:PersonInImage=Grace",
        "-XMP-iptcExt:ImageRegion=[{Name=Ada,RegionBoundary={RbShape=rectangle,RbUnit=relative,"
          + "RbX=0.1,RbY=0.2,RbW=0.3,RbH=0.4}}]",
        "-XMP-MP:RegionInfoMP={Regions=[{PersonDisplayName=Ada,Rectangle=0.1|, 0.2|, 0.3|, 0.4}]}",
        "-XMP-mwg-rs:RegionInfo={RegionList=[{Name=Ada,Type=Face}]}",
      ], into: Samples.flat([90, 120, 60], 48, 32).file("jpegsave_target"), "jpg")
    for format in ["jpeg", "webp"] {
      let file = try Studio.develop(
        photo, "[\(step)]", output: #""format": "\#(format)", "metadata": "all""#)
      let tags = try ExifTool.tags(of: file)
      let regions = tags.keys.filter { $0.contains("Region") }
      #expect(tags["XMP-iptcExt:PersonInImage"] == "Grace")
      #expect(
        tags["XMP-iptcExt:ImageRegionBoundaryX"].flatMap { Double($0) } == Double(left),
        "\(format) \(step): \(regions)")
      #expect(tags["XMP-MP:RegionRectangle"]?.hasPrefix(left) == true, "\(format) \(step)")
      #expect(tags["XMP-MP:RegionPersonDisplayName"] == "Ada", "\(format) \(step)")
      let hasPlaceless = regions.contains { $0.hasPrefix("XMP-mwg-rs") }
      #expect(hasPlaceless == isSameFrame, "\(format) \(step): \(regions)")
    }
  }

  /// Regions are turned upright with the photo.
  @Test(
    .enabled(if: ExifTool.isHere),
    arguments: [
      (3, [0.75, 0.9, 0.2, 0.1]), (6, [0.9, 0.25, 0.1, 0.2]), (8, [0.1, 0.75, 0.1, 0.2]),
    ])
  func regionsAreTurnedUpright(_ orientation: Int, _ wanted: [Double]) throws {
    let photo = try ExifTool.writing(
      [
        "-EXIF:Orientation#=\(orientation)",
        "-XMP-iptcExt:ImageRegion=[{Name=Ada,RegionBoundary={RbShape=rectangle,RbUnit=relative,"
          + "RbX=0.1,RbY=0.2,RbW=0.3,RbH=0.4}}]",
        "-XMP-mwg-rs:RegionInfo={AppliedToDimensions={W=48,H=32,Unit=pixel},RegionList=[{Name=Ada,"
          + "Type=Face,Area={X=0.25,Y=0.1,W=0.2,H=0.1,Unit=normalized}}]}",
      ], into: Samples.flat([90, 120, 60], 48, 32).file("jpegsave_target"), "jpg")
    let tags = try ExifTool.tags(
      of: Studio.develop(photo, "[]", output: #""format": "jpeg", "metadata": "all""#))
    let area = ["X", "Y", "W", "H"].compactMap { tags["XMP-mwg-rs:RegionArea\($0)"] }
    #expect(area.compactMap { Double($0) } == wanted, "\(area)")
    let width = tags["XMP-mwg-rs:RegionAppliedToDimensionsW"]
    #expect(width == (orientation == 3 ? "48" : "32"))
    #expect(tags["XMP-iptcExt:ImageRegionName"] == "Ada")
  }

  /// A region whose area is stated in pixels is dropped from a rotated photo, because it cannot be
  /// rotated.
  @Test(.enabled(if: ExifTool.isHere)) func regionsInPixelsAreDroppedFromARotatedPhoto() throws {
    let photo = try ExifTool.writing(
      [
        "-EXIF:Orientation#=6",
        "-XMP-mwg-rs:RegionInfo={RegionList=[{Name=Ada,Area={X=10,Y=10,W=5,H=5,Unit=pixel}}]}",
      ], into: Samples.flat([90, 120, 60], 48, 32).file("jpegsave_target"), "jpg")
    let file = try Studio.develop(photo, "[]", output: #""format": "jpeg", "metadata": "all""#)
    #expect(try !ExifTool.tags(of: file).keys.contains { $0.contains("Region") })
  }
}
