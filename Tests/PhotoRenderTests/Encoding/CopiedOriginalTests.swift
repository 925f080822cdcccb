import FileStructure
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

  /// A PNG decoder rejects bytes that are no profile, and a profile for colours in a grey photo.
  @Test(arguments: [3, 1], ["none", "archive"])
  func aPNGPhotoWithARejectedProfileIsNotCopied(_ channels: Int, _ policy: String) throws {
    let colour = Array([200, 40, 90].prefix(channels))
    let plain = try Samples.flat(colour, 48, 32).file("pngsave_target", ["strip": .flag(true)])
    let profile = channels == 1 ? StandardProfile.adobeRGB.bytes : Array("no profile".utf8)
    let content = Array("name\0\0".utf8) + [0x78, 0x01] + Deflated.stored(profile) + [0, 0, 0, 0]
    let photo = PNGChunks.adding("iCCP", content, to: plain)
    #expect(try Self.isCopied(plain, #""format": "png", "metadata": "none""#))
    for output in ["srgb", "grey", "preserve"] {
      let output = #""format": "png", "metadata": "\#(policy)", "profile": "\#(output)""#
      #expect(try !Self.isCopied(photo, output))
    }
    // Other colour tags do not make the profile usable.
    let tagged = PNGChunks.adding("gAMA", PNGChunks.bytes(100_000), to: photo)
    #expect(try !Self.isCopied(tagged, #""format": "png", "profile": "preserve""#))
  }

  /// A WebP decoder ignores a profile that the file's head does not announce.
  @Test func aWebPPhotoWithAnIgnoredProfileIsNotCopied() throws {
    let photo = try Self.photo.file(
      "webpsave_target", ["lossless": .flag(true), "strip": .flag(true)])
    let profile = Array("ICCP".utf8) + [4, 0, 0, 0, 1, 2, 3, 4]
    var changed = photo + profile
    changed.replaceSubrange(4..<8, with: ByteOrder.little.bytes(changed.count - 8, 4))
    #expect(try Self.isCopied(photo, Self.output("webp") + #", "metadata": "none""#))
    #expect(try !Self.isCopied(changed, Self.output("webp") + #", "metadata": "none""#))
  }

  /// A copy must not contain a picture that the output's own settings drop or replace.
  @Test func aPhotoWithAPictureToDropIsNotCopied() throws {
    let output = #""format": "jpeg", "quality": "source", "profile": "preserve""#
    let archive = output + #", "metadata": "archive""#
    let base = try Self.photo.file("jpegsave_target")
    let map = try Samples.flat([90], 24, 16).file("jpegsave_target")
    let bright = UltraHDRFile.bytes(base: base, map: map, .adobe)
    let matte = try AuxiliaryJPEGFile(photo: Self.photo, levels: Samples.flat([90], 24, 16))
      .indexed("depth", "portraiteffectsmatte")
    for (photo, setting) in [
      (bright, #""gainMap": "drop""#), (bright, #""gainMap": "rebuild""#),
      (matte, #""auxiliary": "drop""#),
    ] {
      #expect(try Self.isCopied(photo, archive))
      #expect(try !Self.isCopied(photo, archive + ", " + setting), "\(setting)")
    }
    #expect(try Self.isCopied(bright, archive + #", "auxiliary": "drop""#))
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
