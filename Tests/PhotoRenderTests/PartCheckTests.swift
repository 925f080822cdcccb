import PhotoMetadata
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Checks of the texts and files that a recipe uses, made without a photo, and the memory that
/// these checks need.
@Suite struct PartCheckTests {
  private static func check(_ filter: String, _ files: [String: [UInt8]]) throws -> PartCheck {
    let recipe = try Studio.recipe("[\(filter)]")
    let part = try #require(recipe.parts.first)
    #expect(recipe.parts.count == 1)
    return try PartCheck(
      part, of: recipe, files.mapValues { PhotoFile.bytes($0) }, RenderLimits.standard)
  }

  /// The check of an interlaced image, which is decoded as a whole, needs more memory than that of
  /// an image that is decoded row by row.
  ///
  /// The memory is predicted before decoding.
  @Test func anInterlacedImageNeedsMoreMemoryToCheck() throws {
    let image = try Image.calling(
      "black", ["width": .integer(3000), "height": .integer(2000), "bands": .integer(3)]
    ).image("out")
    func needs(_ isInterlaced: Bool) throws -> Int {
      let file = try SyntheticPhoto.bytes(
        image, "pngsave_target", ["interlace": .flag(isInterlaced)])
      let check = try Self.check(#"{"filter": "watermark", "image": "m"}"#, ["m": file])
      #expect(check.megapixels == 6)
      try check.run()
      return check.needs.usual
    }
    #expect(try needs(true) - needs(false) >= 3 * 6_000_000)
  }

  /// The error for a truncated watermark names the watermark's file instead of a photo, and
  /// contains no names from libvips.
  @Test(arguments: ["jpegsave_target", "pngsave_target", "gifsave_target"])
  func theErrorForATruncatedWatermarkNamesItsFile(_ saver: String) throws {
    let whole = try SyntheticPhoto.bytes(Samples.noise(90, 60).image(), saver)
    let error = #expect(throws: RenderError.self) {
      try Self.check(
        #"{"filter": "watermark", "image": "m"}"#, ["m": Array(whole.prefix(200))]
      ).run()
    }
    let message = try #require(error?.message)
    #expect(message.hasPrefix("the file 'm' cannot be read: "), "\(message)")
    #expect(!["the photo", "load", "Vips", "avg"].contains { message.contains($0) }, "\(message)")
    #expect(
      message.contains("read: the file is cut off: ") || saver != "jpegsave_target", "\(message)")
  }

  /// The error for an unsupported kind of TIFF file names this kind, and the hint says how to save
  /// the file instead.
  @Test func theErrorNamesAnUnsupportedKindOfTIFF() throws {
    let image = try Samples.flat([90, 128], 16, 8).image()
      .applying("cast", ["format": .choice("float")])
    let file = try SyntheticPhoto.bytes(image, "tiffsave_target")
    let error = #expect(throws: RenderError.self) {
      try Self.check(#"{"filter": "watermark", "image": "m"}"#, ["m": file])
    }
    let kind = RenderError.unsupportedTIFF(.floatsOfOtherColours)
    #expect(error == .unsupportedFile("m", kind))
    #expect(error?.hint == kind.hint)
    #expect(error?.message.hasSuffix(kind.message) == true)
  }

  /// The predicted memory is larger for a longer text.
  @Test func aLongerTextNeedsMoreMemoryToCheck() throws {
    func needs(_ count: Int) throws -> Int {
      let text = String(repeating: "a", count: count)
      return try Self.check(#"{"filter": "text", "content": "\#(text)"}"#, [:]).needs.usual
    }
    #expect(try needs(1) < needs(1000))
  }

  /// Each text or file that a recipe uses is listed once, with the files that it consists of.
  @Test func textsAndFilesOfARecipeAreListedOnce() throws {
    let recipe = try Studio.recipe(
      """
      [{"filter": "watermark", "image": "m"}, {"filter": "watermark", "id": "w", "image": "m"},
       {"filter": "text", "content": "a", "fontFile": "f"},
       {"filter": "invert", "mask": {"add": [{"image": {"file": "n"}}, {"image": {"file": "m"}}]}},
       {"filter": "lut", "file": "a.cube"}, {"filter": "lut", "id": "l", "file": "h.png"}]
      """, output: #""format": "jpeg", "profile": "p.icc""#)
    #expect(
      Set(recipe.parts.map { $0.files.map(\.path) }) == [["m"], ["f"], ["n"], ["h.png"], ["p.icc"]])
    #expect(recipe.parts.count == 5)
  }

  /// A profile whose tables are damaged is refused when the recipe is checked.
  @Test func aProfileWithDamagedTablesIsRefused() throws {
    let press = try Samples.flat([0, 0, 0], 1, 1).image().applying(
      "icc_transform", ["output-profile": .text("cmyk"), "input-profile": .text("srgb")])
    guard case .blob(var bytes) = press.field("icc-profile-data") else {
      Issue.record("the picture has no profile")
      return
    }
    func check() throws {
      let recipe = try Studio.recipe("[]", output: #""format": "tiff", "profile": "p.icc""#)
      try PartCheck(
        #require(recipe.parts.first), of: recipe, ["p.icc": .bytes(bytes)], RenderLimits.standard
      ).run()
    }
    try check()
    for entry in stride(from: 132, to: 132 + 12 * Int(bytes[131]), by: 12)
    where String(decoding: bytes[entry..<entry + 3], as: UTF8.self) == "B2A" {
      let place = bytes[entry + 4..<entry + 8].reduce(0) { $0 << 8 | Int($1) }
      bytes.replaceSubrange(place..<place + 4, with: Array("none".utf8))
    }
    #expect(throws: RenderError.unusableProfile("p.icc")) { try check() }
  }
}
