import PhotoRecipes
import PhotoRender
import TestSupport
import Testing
import Vips

/// Photos whose pixels are amounts of inks, such as CMYK.
///
/// Only the tables of a profile define the colours of these inks.
@Suite struct InkTests {
  private static let inks = [
    [0, 0, 0, 255], [255, 0, 0, 0], [40, 200, 10, 90], [255, 255, 0, 0],
  ]

  /// A photo with libvips's built-in CMYK profile: squares, one below the other.
  private static func photo(side: Int = 16) throws -> (Image, [UInt8]) {
    let pixels = inks.flatMap { ink in (0..<side * side).flatMap { _ in ink.map { UInt8($0) } } }
    let press = try Samples.flat([0, 0, 0], 1, 1).image().applying(
      "icc_transform", ["output-profile": .text("cmyk"), "input-profile": .text("srgb")])
    let image = try Image(
      pixels: pixels, width: side, height: side * inks.count, bands: 4, format: .uchar
    ).applying("copy", ["interpretation": .choice("cmyk")])
      .setting(["icc-profile-data": press.field("icc-profile-data")])
    return (image, try SyntheticPhoto.bytes(image, "tiffsave_target"))
  }

  @Test func inksOfAnUnchangedPhotoArePreserved() throws {
    let (image, photo) = try Self.photo()
    let preserve = #""format": "tiff", "profile": "preserve""#
    #expect(try Samples(file: Studio.develop(photo, "[]", output: preserve)) == Samples(image))
    // If a filter changes the colours, they are converted to inks again.
    let brighter = try Studio.develop(
      photo, #"[{"filter": "exposure", "stops": 0.2}]"#, output: preserve)
    #expect(try Samples(file: brighter) != Samples(image))
  }

  /// The photo is so high that its rows can be read only once, from top to bottom.
  @Test(arguments: ["", #", {"name": "c", "format": "png"}"#])
  func severalOutputsPreserveTheInks(_ third: String) throws {
    let (image, photo) = try Self.photo(side: 256)
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "filters": [],
         "outputs": [{"name": "a", "format": "tiff", "profile": "preserve"},
                     {"name": "b", "format": "tiff", "profile": "preserve"}\(third)]}
        """)
    let files = try Studio.render(photo, recipe).files
    for name in ["a", "b"] {
      #expect(try Samples(file: #require(files[name])) == Samples(image), "\(name)")
    }
  }

  /// A photo of noise in four inks, with the profile of `photo()`.
  private static func noise(
    _ profile: [UInt8]? = nil, fields: [String: Vips.Field?] = [:]
  ) throws -> (Samples, [UInt8]) {
    let noise = Samples.noise(24, 16, bands: 4)
    let own = try profile.map(Vips.Field.blob) ?? Self.photo().0.field("icc-profile-data")
    let image = try noise.image().applying("copy", ["interpretation": .choice("cmyk")])
      .setting(fields.merging(["icc-profile-data": own]) { $1 })
    return (noise, try SyntheticPhoto.bytes(image, "tiffsave_target"))
  }

  /// Steps that only move pixels, with the positions in the stored picture of 24 × 16 pixels.
  private static let moves: [(step: String, stored: @Sendable (Int, Int) -> (Int, Int))] = [
    (#"{"filter": "crop", "left": 3, "top": 2, "width": 20, "height": 12}"#, { ($0 + 3, $1 + 2) }),
    (#"{"filter": "rotate", "angle": 180}"#, { (23 - $0, 15 - $1) }),
    (#"{"filter": "rotate", "angle": 90}"#, { ($1, 15 - $0) }),
    (#"{"filter": "flip"}"#, { (23 - $0, $1) }),
  ]

  @Test(arguments: moves.indices, ["balanced", "exact"])
  func inksThatAreOnlyMovedArePreserved(_ number: Int, _ rendering: String) throws {
    let (stored, photo) = try Self.noise()
    let (step, place) = Self.moves[number]
    let found = try Samples(
      file: Studio.develop(
        photo, "[\(step)]", output: #""format": "tiff", "profile": "preserve""#,
        rendering: rendering))
    #expect(found.bands == 4)
    let wanted = Samples(found.width, found.height) { x, y in
      let start = place(x, y)
      return stored[start.0, start.1]
    }
    #expect(found == wanted, "\(step)")
  }

  /// The photo is also turned if several outputs read it.
  @Test(arguments: ["", #", {"name": "b", "format": "tiff", "profile": "preserve"}"#])
  func inksOfATurnedPhotoArePreserved(_ second: String) throws {
    let (stored, photo) = try Self.noise(fields: ["orientation": .integer(6)])
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "filters": [],
         "outputs": [{"name": "a", "format": "tiff", "profile": "preserve"},
                     {"name": "c", "format": "png"}\(second)]}
        """)
    let wanted = Samples(16, 24) { x, y in stored[y, 15 - x] }
    for (name, file) in try Studio.render(photo, recipe).files where name != "c" {
      #expect(try Samples(file: file) == wanted, "\(name)")
    }
  }

  @Test func inksArePreservedWithMoreBits() throws {
    let (stored, photo) = try Self.noise()
    let found = try Samples(
      file: Studio.develop(
        photo, "[]", output: #""format": "tiff", "profile": "preserve", "bitDepth": "16""#))
    #expect(found.maximum == 65_535 && found.values == stored.values.map { $0 * 257 })
  }

  /// The alpha of 8-bit inks stays the same in outputs whose colours are converted with 16 bits.
  @Test(arguments: ["srgb", "display-p3", "adobe-rgb"])
  func alphaBesideInksStaysTheSame(_ profile: String) throws {
    let image = try Image(
      pixels: [0, 0, 0, 255, 128, 40, 200, 10, 90, 255], width: 2, height: 1, bands: 5,
      format: .uchar
    ).applying("copy", ["interpretation": .choice("cmyk")])
    let found = try Samples(
      file: Studio.develop(
        SyntheticPhoto.bytes(image, "tiffsave_target"), "[]",
        output: #""format": "png", "profile": "\#(profile)", "bitDepth": "8""#))
    #expect(found.bands == 4)
    #expect([found[0, 0][3], found[1, 0][3]] == [128, 255])
  }

  /// The profile of `photo()`, with other names of the tags in `names`.
  private static func profile(without names: Set<String>) throws -> [UInt8] {
    guard case .blob(var bytes) = try photo().0.field("icc-profile-data") else { return [] }
    for entry in stride(from: 132, to: 132 + 12 * Int(bytes[131]), by: 12)
    where names.contains(String(decoding: bytes[entry..<entry + 4], as: UTF8.self)) {
      bytes[entry] = UInt8(ascii: "x")
    }
    return bytes
  }

  private static let otherIntents: Set<String> = ["A2B1", "A2B2", "B2A1", "B2A2"]

  /// A profile that has tables only for the perceptual intent is used with this intent, as a
  /// photo's own profile and as an output's.
  @Test(arguments: ["relative", "absolute", "saturation"])
  func aProfileOfOneIntentIsUsed(_ intent: String) throws {
    let profile = try Self.profile(without: Self.otherIntents)
    let (_, photo) = try Self.noise(profile)
    func developed(_ name: String, _ intent: String) throws -> Samples {
      try Samples(
        file: Studio.develop(
          photo, #"[{"filter": "exposure", "stops": 0.2}]"#,
          output: #""format": "tiff", "profile": "\#(name)", "intent": "\#(intent)""#,
          files: ["p.icc": profile]))
    }
    let wanted = try developed("p.icc", "perceptual")
    #expect(wanted.bands == 4)
    #expect(try developed("p.icc", intent) == wanted)
    #expect(try developed("preserve", intent) == wanted)
  }
}
