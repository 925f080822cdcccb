import Notation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Greyscale photos.
///
/// Their renditions have one channel unless a filter adds colours.
@Suite struct GreyOutputTests {
  private static let oneChannel = random(channels: 1)
  private static let threeChannels = random(channels: 3)

  /// A photo with one grey channel, or with the same grey in three channels.
  private static func photo(_ channels: Int = 1) -> Samples {
    channels == 1 ? oneChannel : threeChannels
  }

  private static func random(channels: Int) -> Samples {
    var random = SeededGenerator(seed: 5)
    return Samples(60, 44) { _, _ in
      let grey = Int.random(in: 0...255, using: &random)
      return Array(repeating: grey, count: channels)
    }
  }

  private static func result(
    _ photo: Samples, _ filters: String, profile: String = "srgb", own: [UInt8]? = nil
  ) throws -> (picture: Samples, warnings: [String]) {
    let recipe = try Studio.recipe(
      filters, output: #""format": "png", "profile": "\#(profile)""#)
    // With an RGB profile the photo is a TIFF file, because a greyscale PNG file cannot contain
    // such a profile.
    let file = try own.map { try ProfiledFile.tiff(photo.image(), $0) }
    let (files, report) = try Studio.render(
      file ?? photo.file("tiffsave_target"), recipe, files: CatalogueTests.files())
    return (try Samples(file: #require(files["out"])), report.warnings)
  }

  @Test(arguments: ["srgb", "preserve", "grey"])
  func anUnchangedGreyPhotoKeepsOneChannelAndItsValues(
    _ profile: String
  ) throws {
    let (picture, warnings) = try Self.result(Self.photo(), "[]", profile: profile)
    #expect(picture == Self.photo() && warnings.isEmpty)
    let alpha = Samples.flat([90, 128], 8, 6)
    #expect(try Self.result(alpha, "[]", profile: profile).picture == alpha)
    let deep = Samples.flat([9000], 8, 6, maximum: 65_535)
    #expect(try Self.result(deep, "[]", profile: profile).picture == deep)
  }

  @Test(.enabled(if: ExifTool.isHere), arguments: ["jpeg", "png", "tiff", "jxl"])
  func aGreyRenditionHasOneChannelAndAGreyProfile(_ format: String) throws {
    let file = try Studio.develop(
      Self.photo().file(), #"[{"filter": "exposure", "stops": 0.3}]"#,
      output: #""format": "\#(format)""#)
    let image = try Image.load(from: Source(bytes: file))
    #expect(image.bands == 1)
    let tags = try ExifTool.tags(of: file)
    if format == "jpeg" { #expect(tags["File:ColorComponents"] == "1") }
    // JPEG XL describes the colour space in a few bytes instead of a profile.
    if format != "jxl" { #expect(tags["ICC-header:ColorSpaceData"]?.hasPrefix("GRAY") == true) }
    #expect(tags["ICC-header:ColorSpaceData"]?.hasPrefix("RGB") != true)
  }

  /// libheif's readers return three channels for files that store one channel.
  @Test(arguments: ["avif", "heic"]) func avifHEICAndJXLRenditionsShowTheSameGreys(
    _ format: String
  ) throws {
    let grey = Samples.flat([107], 48, 32)
    let picture = try Samples(
      file: Studio.develop(grey.file(), "[]", output: #""format": "\#(format)""#))
    #expect(picture[20, 10].allSatisfy { abs($0 - 107) <= 1 }, "\(picture[20, 10])")
  }

  @Test(arguments: ["display-p3", "adobe-rgb", "rec2020"])
  func aGreyPhotoInAnotherColourSpaceHasThreeChannels(_ profile: String) throws {
    #expect(try Self.result(Self.photo(), "[]", profile: profile).picture.bands == 3)
  }

  @Test(arguments: ["webp", "gif"]) func formatsWithoutGreyStoreThreeChannels(
    _ format: String
  ) throws {
    let file = try Studio.develop(Self.photo().file(), "[]", output: #""format": "\#(format)""#)
    #expect(try Samples(file: file).bands >= 3)
  }

  /// If a filter's result has one channel, it equals the result for the same photo with three
  /// channels.
  @Test(arguments: Catalog.filters.map { $0.name })
  func aOneChannelResultEqualsTheThreeChannelResult(
    _ name: String
  ) throws {
    let filter = try #require(Catalog.filter(named: name))
    let steps = CatalogueTests.examples(of: filter).filter { (try? Studio.recipe($0)) != nil }
    for step in TestVolume.one(of: 3, steps) {
      let grey = try Self.result(Self.photo(), step).picture
      guard grey.bands < 3 else { continue }
      let three = try Self.result(Self.photo(3), step).picture
      let colours = three.bands - (1 - three.bands % 2)
      guard colours == 3 else { continue }
      #expect(three.colourfulness <= 1, "\(step)")
      #expect(three.channel(0).difference(from: grey.channel(0)) <= 1, "\(step)")
    }
  }

  @Test(
    arguments: [
      #"{"filter": "exposure", "stops": 0.5}"#, #"{"filter": "contrast", "amount": 0.3}"#,
      #"{"filter": "blackAndWhite"}"#, #"{"filter": "saturation", "amount": 0.5}"#,
      #"{"filter": "vibrance", "amount": 0.5}"#, #"{"filter": "resize", "width": 30}"#,
      #"{"filter": "sharpen", "amount": 0.5}"#, #"{"filter": "vignette"}"#,
      #"{"filter": "clarity", "amount": 0.5}"#, #"{"filter": "autoLevels"}"#,
      #"{"filter": "auto"}"#, #"{"filter": "light", "amount": 0.3}"#,
      #"{"filter": "cast", "amount": 0.5}"#,
      ##"{"filter": "border", "width": 4, "colour": "#808080"}"##,
      #"{"filter": "exposure", "stops": 0.5, "opacity": 0.5, "mask": {"luminance": {"min": 0.5}}}"#,
      #"{"filter": "blur", "radius": 2, "opacity": 0.5, "blend": "multiply"}"#,
    ])
  func filtersThatAddNoColourKeepOneChannel(_ step: String) throws {
    #expect(try Self.result(Self.photo(), "[\(step)]").picture.bands == 1)
  }

  @Test(
    arguments: [
      #"{"filter": "sepia"}"#, ##"{"filter": "tint", "colour": "#c08040"}"##,
      ##"{"filter": "border", "width": 4, "colour": "#ff0000"}"##,
      #"{"filter": "whiteBalance", "temperature": 4000}"#,
      ##"{"filter": "censor", "method": "fill", "colour": "#ff0000"}"##,
      #"{"filter": "watermark", "image": "mark.png"}"#,
    ])
  func filtersThatAddColourGiveThreeChannels(_ step: String) throws {
    for profile in ["srgb", "preserve"] {
      #expect(try Self.result(Self.photo(), "[\(step)]", profile: profile).picture.bands == 3)
    }
  }

  @Test func addedColoursAreKeptInsteadOfAGreyProfile() throws {
    let own = Profiles.grey(gamma: 1)
    let plain = try Self.result(Self.photo(), "[]", profile: "preserve", own: own)
    #expect(plain.picture.bands == 1 && plain.warnings.isEmpty)
    let sepia = try Self.result(
      Self.photo(), #"[{"filter": "sepia"}]"#, profile: "preserve", own: own)
    #expect(sepia.picture.bands == 3)
    #expect(sepia.warnings.contains { $0.contains("profile is greyscale") }, "\(sepia.warnings)")
  }

  /// An RGB profile in a file with one grey channel, as some programs write it, is accepted.
  @Test func anRGBProfileInAGreyPhotoIsAccepted() throws {
    let usual = try Self.result(
      Self.photo(), "[]", profile: "preserve", own: StandardProfile.srgb.bytes)
    #expect(usual.picture == Self.photo() && usual.warnings.isEmpty)
    let other = try Self.result(
      Self.photo(), "[]", profile: "preserve", own: StandardProfile.adobeRGB.bytes)
    #expect(other.picture.bands == 1 && other.picture != Self.photo())
    #expect(other.warnings.contains { $0.contains("cannot convert colours to") })
  }

  /// External programs always receive RGB, also for a greyscale photo.
  @Test func externalProgramsReceiveThreeChannelsOfAGreyPhoto() throws {
    let (picture, _) = try Self.result(
      Self.photo(), #"[{"filter": "external", "command": ["cat"]}]"#)
    #expect(picture == Self.photo(3))
  }

  /// The colours of a palette are RGB, so a grey photo's profile is replaced by sRGB.
  @Test func aPaletteOfAGreyPhotoIsSRGB() throws {
    let recipe = try Studio.recipe(
      "[]", output: #""format": "png", "palette": true, "profile": "preserve""#)
    let photo = try ProfiledFile.tiff(
      Samples.flat([100], 8, 6).image(), Profiles.grey(gamma: 1))
    let (files, report) = try Studio.render(photo, recipe)
    // sRGB encodes the linear grey 100 as 168.
    let picture = try Samples(file: #require(files["out"]))
    #expect(picture[3, 3].allSatisfy { abs($0 - 168) <= 1 }, "\(picture[3, 3])")
    #expect(report.warnings.count == 1, "\(report.warnings)")
  }
}
