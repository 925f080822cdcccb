import Foundation
import TestSupport
import Vips

/// Sample files made by libvips and ExifTool.
enum Specimen {
  static let formats = ["jpeg", "png", "webp", "tiff", "avif", "heic", "jxl"]

  /// A plain picture without metadata.
  static func plain(_ format: String) throws -> [UInt8] {
    let image = try SyntheticPhoto.image(width: 60, height: 40)
    switch format {
    case "jpeg": return try SyntheticPhoto.bytes(image, "jpegsave_target", ["strip": .flag(true)])
    case "png": return try SyntheticPhoto.bytes(image, "pngsave_target", ["strip": .flag(true)])
    case "webp": return try SyntheticPhoto.bytes(image, "webpsave_target", ["strip": .flag(true)])
    case "avif":
      return try SyntheticPhoto.bytes(
        image, "heifsave_target", ["compression": .choice("av1"), "strip": .flag(true)])
    case "heic": return try SyntheticPhoto.bytes(image, "heifsave_target", ["strip": .flag(true)])
    case "jxl": return try SyntheticPhoto.jxl(image)
    case "gif": return try SyntheticPhoto.bytes(image, "gifsave_target")
    case "jp2":
      return try SyntheticPhoto.bytes(image, "jp2ksave_target", ["lossless": .flag(true)])
    default: return try SyntheticPhoto.bytes(image, "tiffsave_target")
    }
  }

  /// A JPEG file with the tags that cameras and editors write; needs ExifTool.
  static let full = Result {
    try ExifTool.writing(
      [
        "-EXIF:Artist=Ada Lovelace", "-EXIF:Copyright=(c) 2020 Ada", "-EXIF:Make=CAMERAMAKER",
        "-EXIF:Model=CAMERAMODEL X1", "-EXIF:DateTimeOriginal=2020:01:02 03:04:05",
        "-EXIF:SubSecTimeOriginal=123", "-EXIF:OffsetTimeOriginal=+01:00", "-EXIF:ISO=400",
        "-EXIF:FNumber=2.8", "-EXIF:ExposureTime=0.004", "-EXIF:FocalLength=35",
        "-EXIF:LensModel=LENSNAME 35mm", "-EXIF:SerialNumber=SERIAL4711",
        "-EXIF:ImageDescription=A described photo", "-EXIF:UserComment=USERCOMMENT",
        "-EXIF:Orientation#=6", "-EXIF:Software=Firmware 9.9",
        "-EXIF:GPSLatitude=48.858333", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=2.294444",
        "-EXIF:GPSLongitudeRef=E", "-EXIF:GPSAltitude=35.5",
        "-XMP-dc:Title=XMP title", "-XMP-dc:Creator=Ada Lovelace", "-XMP-dc:Rights=(c) 2020 Ada",
        "-XMP-dc:Subject=alpha", "-XMP-dc:Subject=beta", "-XMP-xmp:Rating=4",
        "-XMP-photoshop:City=Paris sur Seine", "-XMP-exif:GPSLatitude=48.858333",
        "-XMP-exif:GPSLongitude=2.294444", "-XMP-crs:Exposure2012=+1.50",
        "-XMP-iptcExt:LocationCreatedCity=Paris", "-XMP-xmpMM:DocumentID=xmp.did:0815",
        "-XMP-aux:SerialNumber=SERIAL4711",
        "-IPTC:By-line=Ada Lovelace", "-IPTC:CopyrightNotice=(c) 2020 Ada", "-IPTC:Keywords=alpha",
        "-IPTC:City=Paris sur Seine", "-IPTC:Caption-Abstract=IPTC caption",
        "-Comment=A JPEG comment",
      ], into: plain("jpeg"), "jpg")
  }
}
