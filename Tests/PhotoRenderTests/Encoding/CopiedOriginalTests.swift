import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// In lossless formats, a photo that a recipe does not change is copied instead of encoded again.
@Suite struct CopiedOriginalTests {
  private static let formats = ["png", "tiff", "gif", "webp", "avif", "heic", "jxl"]
  private static let photo = Samples.flat([200, 40, 90], 48, 32)

  private static func output(_ format: String) -> String {
    let isAlwaysExact = ["png", "tiff", "gif"].contains(format)
    return #""format": "\#(format)""# + (isAlwaysExact ? "" : #", "lossless": true"#)
  }

  /// A photo in the given format, without metadata.
  private static func original(_ format: String, _ more: String = "") throws -> [UInt8] {
    try Studio.develop(
      photo.file(), "[]", output: output(format) + #", "metadata": "none""# + more)
  }

  private static func isCopied(
    _ photo: [UInt8], _ output: String, filters: String = "[]", inputs: String = "{}"
  ) throws -> Bool {
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "inputs": \(inputs),
         "filters": \(filters), "outputs": [{"name": "out", \(output)}]}
        """)
    let (files, report) = try Studio.render(photo, recipe)
    let isCopied = report.renditions.first?.isOriginal == true
    #expect(!isCopied || files["out"] == photo)
    return isCopied
  }

  @Test(arguments: formats) func anUnchangedPhotoIsCopiedByteForByte(_ format: String) throws {
    // The photo has other compression settings than phbatch's encoder, if its format has any.
    let own = ["png": #", "compression": 1"#, "tiff": #", "compression": "lzw""#][format] ?? ""
    let photo = try Self.original(format, own)
    let output = Self.output(format)
    #expect(try Self.isCopied(photo, output))
    #expect(try Self.isCopied(photo, output + #", "metadata": "none""#))
    let brighter = #"[{"filter": "exposure", "stops": 0.5}]"#
    #expect(try !Self.isCopied(photo, output, filters: brighter))
    let set = #", "metadata": {"set": {"creator": "Ada"}}"#
    #expect(try !Self.isCopied(photo, output + set))
    #expect(try !Self.isCopied(photo, output + #", "dpi": 300"#))
    if format != "gif" {
      #expect(try !Self.isCopied(photo, output + #", "profile": "display-p3""#))
    }
  }

  /// A photo with one grey channel is copied, unless the output has an RGB profile other than sRGB.
  @Test(arguments: ["png", "tiff", "jxl"]) func anUnchangedGreyPhotoIsCopied(
    _ format: String
  ) throws {
    let output = Self.output(format)
    let photo = try Studio.develop(
      Samples.flat([90], 48, 32).file(), "[]", output: output + #", "metadata": "none""#)
    #expect(try Image.load(from: Source(bytes: photo)).bands == 1)
    for profile in ["srgb", "preserve", "grey"] {
      #expect(try Self.isCopied(photo, output + #", "profile": "\#(profile)""#))
    }
    #expect(try !Self.isCopied(photo, output + #", "profile": "display-p3""#))
  }

  @Test(arguments: [
    ("png", #", "compression": 9"#), ("png", #", "interlace": true"#),
    ("png", #", "bitDepth": 16"#),
    ("tiff", #", "compression": "none""#), ("tiff", #", "pyramid": true"#),
    ("gif", #", "effort": 9"#),
    ("webp", #", "effort": 6"#), ("avif", #", "bitDepth": 10"#), ("jxl", #", "decodingTier": 2"#),
    ("jxl", #", "bitDepth": 12"#),
  ]) func anOutputWithEncoderSettingsIsEncodedAndNotCopied(_ format: String, _ more: String) throws
  {
    #expect(try !Self.isCopied(Self.original(format), Self.output(format) + more))
  }

  @Test(arguments: ["webp", "avif", "heic", "jxl"])
  func aLossyOutputIsEncodedAndNotCopied(_ format: String) throws {
    #expect(try !Self.isCopied(Self.original(format), #""format": "\#(format)""#))
  }

  /// A copy must not contain metadata that the policy removes; `archive` removes nothing.
  @Test(.enabled(if: ExifTool.isHere), arguments: formats.filter { $0 != "gif" })
  func aPhotoWithMetadataToDropIsNotCopied(_ format: String) throws {
    let suffix = format == "tiff" ? "tif" : format
    let photo = try ExifTool.writing(
      ["-EXIF:GPSLatitude=48.1", "-EXIF:GPSLatitudeRef=N"], into: Self.original(format), suffix)
    let output = Self.output(format)
    #expect(try !Self.isCopied(photo, output))
    #expect(try Self.isCopied(photo, output + #", "metadata": "archive""#))
  }

  @Test(.enabled(if: ExifTool.isHere), arguments: ["png", "tiff", "webp"])
  func aPhotoWithAnOrientationTagIsNotCopied(_ format: String) throws {
    let suffix = format == "tiff" ? "tif" : format
    let photo = try ExifTool.writing(
      ["-EXIF:Orientation#=6"], into: Self.original(format), suffix)
    #expect(try !Self.isCopied(photo, Self.output(format) + #", "metadata": "archive""#))
  }

  @Test func aPhotoWithBytesAfterItsDataIsNotCopied() throws {
    let photo = try Self.original("tiff")
    #expect(try !Self.isCopied(photo + Array(repeating: 65, count: 64), Self.output("tiff")))
  }

  /// Photos with half floats, 32-bit samples or similar formats are rendered to 16-bit integers
  /// instead of copied.
  @Test func aPhotoWithAnUnusualSampleFormatIsNotCopied() throws {
    let image = try Self.photo.image().applying("cast", ["format": .choice("float")])
    let photo = try SyntheticPhoto.bytes(image, "tiffsave_target")
    let output = #""format": "tiff", "profile": "preserve", "metadata": "archive""#
    #expect(try !Self.isCopied(photo, output))
  }

  @Test(arguments: ["gif", "webp"]) func anUnchangedAnimationIsCopiedWithAllFrames(
    _ format: String
  ) throws {
    let lossless = format == "webp" ? #", "lossless": true"# : ""
    let photo = try AnimationOutputTests.written(format, lossless)
    let (output, all) = (Self.output(format), #"{"frames": "all"}"#)
    #expect(try Self.isCopied(photo, output, inputs: all))
    #expect(try !Self.isCopied(photo, output))
    #expect(try !Self.isCopied(photo, output + #", "delay": 70"#, inputs: all))
  }
}
