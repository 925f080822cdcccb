import Foundation
import TestSupport
import Testing
import Vips

/// AVIF, HEIC, JPEG XL and GIF renditions have the same metadata as renditions in other formats.
@Suite(.enabled(if: ExifTool.isHere)) struct ModernMetadataTests {
  private static let formats = ["avif", "heic", "jxl", "gif"]
  private static let secrets = ["CAMERASECRET", "XMPSECRET", "IPTCSECRET", "2020:01"]

  private static func rendition(_ format: String, _ policy: String) throws -> [UInt8] {
    try Studio.develop(
      MetadataTests.photo(), #"[{"filter": "resize", "width": 20}]"#,
      output: #""format": "\#(format)", "metadata": \#(policy)"#)
  }

  @Test(arguments: formats, ["web", "none"]) func renditionsForTheWebContainNoPrivateMetadata(
    _ format: String, _ policy: String
  ) throws {
    let file = try Self.rendition(format, "\"\(policy)\"")
    let text = String(decoding: file, as: UTF8.self)
    for word in Self.secrets { #expect(!text.contains(word), "\(word)") }
    for word in ["COPYRIGHT (c) Ada", "ARTIST Ada"] {
      #expect(text.contains(word) == (policy == "web"), "\(word)")
    }
    let tags = try ExifTool.tags(of: file)
    let holder = policy == "web" && format != "gif" ? "ARTIST Ada" : nil
    #expect(tags["IFD0:Artist"] == holder, "\(tags)")
    if policy == "web" && format == "gif" { #expect(tags["XMP-dc:Creator"] == "ARTIST Ada") }
    for group in ["GPS", "IPTC", "MakerNotes", "IFD1"] {
      #expect(!tags.keys.contains { $0.hasPrefix(group) }, "\(tags.keys)")
    }
    #expect(try ExifTool.complaints(about: file).lowercased().contains("error") == false)
    // The pixels of the picture can still be decoded.
    #expect(try Image.load(from: Source(bytes: file)).height == 30)
  }

  @Test(arguments: formats) func exifToolFindsAllMetadataInItsPlace(_ format: String) throws {
    let tags = try ExifTool.tags(of: Self.rendition(format, #""all""#))
    if format != "gif" {
      #expect(tags["IFD0:Make"] == "CAMERASECRET" && tags["IFD0:Orientation"] == "1", "\(tags)")
      #expect(tags["ExifIFD:ExifImageWidth"] == "20" && tags["ExifIFD:ExifImageHeight"] == "30")
      #expect(tags["GPS:GPSLatitude"] == "48.8583333333333", "\(tags)")
    } else {
      #expect(tags["XMP-tiff:Make"] == "CAMERASECRET")
    }
    #expect(tags["XMP-xmp:Label"] == "XMPSECRET" && tags["XMP-dc:Subject"] == "IPTCSECRET")
    #expect(tags["XMP-xmpMM:HistoryParameters"] == "recipe org.example.test 1.0.0")
  }

  /// A photo with an orientation tag is rotated only once.
  ///
  /// Renditions are upright, and no tag in them states another orientation.
  @Test(arguments: formats) func aPhotoWithAnOrientationTagIsRotatedOnlyOnce(
    _ format: String
  ) throws {
    let file = try Self.rendition(format, #""all""#)
    let image = try Image.load(from: Source(bytes: file))
    #expect(image.width == 20 && image.height == 30)
    let again = try Samples(file: Studio.develop(file, "[]"))
    #expect(again.width == 20 && again.height == 30)
  }
}
