import Foundation
import Testing
import Vips

/// What of a photo's metadata its renditions carry.
@Suite struct MetadataTests {
  private static let formats = ["jpeg", "png", "webp", "tiff"]
  /// libvips 8.14 writes no EXIF into TIFF.
  private static let withEXIF = ["jpeg", "png", "webp"]

  /// A turned photo with all that cameras and editors write, and words to look for.
  private static func photo() throws -> [UInt8] {
    let xmp = #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret>XMPSECRET</secret></x:xmpmeta>"#
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
        "iptc-data": .blob([0x1C, 2, 25, 0, 10] + Array("IPTCSECRET".utf8)),
        "jpeg-thumbnail-data": .blob(thumbnail),
      ])
  }

  private static func rendition(_ format: String, _ policy: String) throws -> [UInt8] {
    try Studio.develop(
      photo(), #"[{"filter": "resize", "width": 20}]"#,
      output: #""format": "\#(format)", "metadata": "\#(policy)""#)
  }

  @Test func thePhotoHasItAll() throws {
    let text = String(decoding: try Self.photo(), as: UTF8.self)
    for word in ["COPYRIGHT", "ARTIST", "CAMERASECRET", "XMPSECRET", "IPTCSECRET", "2020:01"] {
      #expect(text.contains(word), "\(word)")
    }
  }

  @Test(arguments: formats, ["web", "none"]) func privateDataIsGone(
    _ format: String, _ policy: String
  ) throws {
    let file = try Self.rendition(format, policy)
    let text = String(decoding: file, as: UTF8.self)
    for word in ["CAMERASECRET", "XMPSECRET", "IPTCSECRET", "2020:01"] {
      #expect(!text.contains(word), "\(word)")
    }
    for word in ["COPYRIGHT (c) Ada", "ARTIST Ada"] {
      let isKept = policy == "web" && Self.withEXIF.contains(format)
      #expect(text.contains(word) == isKept, "\(word)")
    }
    let names = try Image.load(from: Source(bytes: file)).metadataNames
    #expect(!names.contains { $0.contains("GPS") || $0 == "jpeg-thumbnail-data" }, "\(names)")
    #expect(names.contains("icc-profile-data"))
  }

  @Test(arguments: withEXIF) func allKeepsWhatStillHolds(_ format: String) throws {
    let image = try Image.load(from: Source(bytes: Self.rendition(format, "all")))
    let names = image.metadataNames
    for name in [
      "exif-ifd0-Make", "exif-ifd3-GPSLatitude", "exif-ifd2-DateTimeOriginal", "xmp-data",
    ] {
      #expect(names.contains(name), "\(name) of \(names)")
    }
    #expect(!names.contains("jpeg-thumbnail-data"))
    for (name, wanted) in [("PixelXDimension", image.width), ("PixelYDimension", image.height)] {
      guard case .text(let text)? = image.field("exif-ifd2-\(name)") else { continue }
      #expect(text.hasPrefix("\(wanted) "), "\(name) \(text)")
    }
    if case .integer(let tag)? = image.field("orientation") { #expect(tag == 1) }
    #expect(image.width == 20 && image.height == 30)
  }

  private static let exiftool = "/usr/bin/exiftool"
  private static var isExifToolHere: Bool {
    if FileManager.default.fileExists(atPath: exiftool) { return true }
    print("SKIPPED: exiftool is not installed")
    return false
  }

  /// Groups and tags as exiftool sees them: `IFD0:Artist`.
  private static func tags(_ file: [UInt8]) throws -> [String: String] {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).img")
    try Data(file).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    let process = Process()
    process.executableURL = URL(filePath: exiftool)
    process.arguments = ["-a", "-u", "-G1", "-s", "-n", "-json", path.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let objects = try JSONSerialization.jsonObject(with: output) as? [[String: Any]]
    return try #require(objects?.first).mapValues { "\($0)" }
  }

  @Test(.enabled(if: isExifToolHere), arguments: formats) func exifToolFindsNothingPrivate(
    _ format: String
  ) throws {
    let web = try Self.tags(Self.rendition(format, "web"))
    if Self.withEXIF.contains(format) {
      #expect(web["IFD0:Artist"] == "ARTIST Ada")
      #expect(web["IFD0:Copyright"] == "COPYRIGHT (c) Ada")
      #expect(web["ExifIFD:ColorSpace"] == "1")
    }
    let none = try Self.tags(Self.rendition(format, "none"))
    let groups = ["GPS", "XMP", "IPTC", "IFD1", "MakerNotes", "Photoshop"]
    for tags in [web, none] {
      #expect(tags["ICC_Profile:ProfileDescription"] == "sRGB")
      #expect(!tags.keys.contains { key in groups.contains { key.hasPrefix($0) } }, "\(tags.keys)")
      #expect(tags["IFD0:Make"] == nil)
      #expect(
        !tags.keys.contains {
          $0.contains("Date") && !$0.hasPrefix("System") && !$0.hasPrefix("ICC")
        }, "\(tags.keys)")
    }
  }

  @Test(.enabled(if: isExifToolHere), arguments: withEXIF) func exifToolFindsAllInPlace(
    _ format: String
  ) throws {
    let tags = try Self.tags(Self.rendition(format, "all"))
    #expect(
      tags["IFD0:Make"] == "CAMERASECRET" && tags["IFD0:Orientation"] ?? "1" == "1", "\(tags)")
    #expect(tags["ExifIFD:ExifImageWidth"] ?? "20" == "20", "\(tags)")
    #expect(tags["ExifIFD:ExifImageHeight"] ?? "30" == "30")
    #expect(!tags.keys.contains { $0.hasPrefix("IFD1") }, "\(tags)")
  }
}
