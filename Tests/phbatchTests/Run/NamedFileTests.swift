import Foundation
import TestRandom
import TestSupport
import Testing
import Vips

/// Files that a recipe names, such as watermarks and lookup tables, and that are missing or have
/// the wrong content.
@Suite struct NamedFileTests {
  private static func run(_ step: String, _ files: [String: String]) throws -> CommandResult {
    let place = try Workplace()
    try place.folder.write(
      """
      {
        "identifier": "org.example.named", "version": "1.0.0",
        "filters": [ { \(step) } ], "outputs": [ { "name": "web", "format": "jpeg" } ]
      }
      """, to: "recipe.json")
    for (name, text) in files { try place.folder.write(text, to: name) }
    let result = try place.run()
    #expect(try place.names() == ["a.jpg"])
    return result
  }

  /// If a file that the recipe names is missing, the run reports an error before it reads the
  /// library.
  @Test(arguments: [
    #""filter": "lut", "file": "gone.cube""#, #""filter": "lut", "file": "gone.png""#,
    #""filter": "watermark", "image": "gone.png""#,
    #""filter": "text", "content": "a", "fontFile": "gone.ttf""#,
    #""filter": "invert", "mask": {"image": {"file": "gone.png"}}"#,
  ])
  func aMissingFileThatTheRecipeNamesIsAnError(_ step: String) throws {
    let result = try Self.run(step, [:])
    #expect(result.code == 65)
    #expect(result.messages.contains("the file 'gone."), "\(result.messages)")
    #expect(result.messages.contains("does not exist"))
  }

  @Test func theErrorOfAMissingFilePointsIntoTheAssignmentThatNamesIt() throws {
    let place = try Workplace()
    try place.folder.write("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n", to: "a.cube")
    try place.folder.write(
      """
      {
        "identifier": "org.example.named", "version": "1.0.0",
        "filters": [ { "filter": "lut", "file": "a.cube" } ],
        "outputs": [ { "name": "web", "format": "jpeg" } ]
      }
      """, to: "recipe.json")
    for command in [
      ["run", place.library], ["validate"], ["explain", place.path("photos/a.jpg")],
    ] {
      let result = try Command.run(
        [command[0], place.path("recipe.json")] + command.dropFirst() + [
          "--set", "lut.file=b.cube",
        ])
      #expect(result.code == 65)
      #expect(result.messages.hasPrefix("--set:1:10: error: the file 'b.cube' does not exist"))
      #expect(result.messages.contains("in --set, to the current folder"), "\(result.messages)")
    }
  }

  /// A recipe and the recipe that it extends may name files of the same name in their own folders;
  /// because sidecars record only the name, these must have the same content.
  @Test(arguments: [true, false]) func filesOfTheSameNameInARecipeMustHaveTheSameContent(
    _ isSame: Bool
  ) throws {
    let place = try Workplace()
    let tables = ["LUT_1D_SIZE 2\n0 0 0\n1 1 1\n", "LUT_1D_SIZE 2\n1 1 1\n0 0 0\n"]
    try place.folder.write(
      """
      { "identifier": "org.example.base", "version": "1.0.0",
        "filters": [ { "filter": "lut", "id": "first", "file": "look.cube" } ],
        "outputs": [ { "name": "web", "format": "jpeg" } ] }
      """, to: "shared/base.json")
    try place.folder.write(
      """
      { "extends": "shared/base.json", "identifier": "org.example.own", "version": "1.0.0",
        "filters": [ { "filter": "lut", "id": "second", "file": "look.cube" } ] }
      """, to: "recipe.json")
    try place.folder.write(tables[0], to: "shared/look.cube")
    try place.folder.write(tables[isSame ? 0 : 1], to: "look.cube")
    let result = try place.run()
    #expect(result.code == (isSame ? 0 : 65), "\(result.messages)")
    #expect(result.messages.contains("'look.cube' is two files") != isSame)
  }

  /// An error in a lookup table is reported with its line in the table.
  @Test(arguments: [
    ("LUT_3D_SIZE 300\n", "a.cube:1:", "out of range"),
    ("LUT_3D_SIZE 2\r\n# comment\r\n0 nan 0\r\n", "a.cube:3:", "'nan'"),
    ("LUT_3D_SIZE 2\n0 0 0\n", "a.cube:3:", "1 of 8 rows"),
    ("LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n0 0 0\n", "a.cube:4:", "1 of 10 rows"),
  ])
  func anErrorInALookupTableIsReportedWithItsLine(
    _ table: String, _ place: String, _ message: String
  ) throws {
    let result = try Self.run(#""filter": "lut", "file": "a.cube""#, ["a.cube": table])
    #expect(result.code == 65)
    #expect(result.messages.contains(place), "\(result.messages)")
    #expect(result.messages.contains(message), "\(result.messages)")
  }

  /// The font size in a text's markup is limited too, even if the text's own `size` is small.
  ///
  /// Letters of such a size leave Cairo in a state that damages other texts of the same process.
  @Test(arguments: ["90000000", "1000000pt"])
  func aTooLargeFontSizeInMarkupIsReportedAsTooLarge(_ size: String) throws {
    let result = try Self.run(
      #""filter": "text", "content": "<span size='\#(size)'>abc</span>", "markup": true"#, [:])
    #expect(result.code == 65)
    #expect(result.messages.contains("3:47"), "\(result.messages)")
    #expect(result.messages.contains("a smaller 'size'"), "\(result.messages)")
  }

  /// Errors that would affect every photo are all reported before the first photo, each with its
  /// position in the recipe.
  @Test(arguments: [
    (#""filter": "text", "content": "a", "font": "No Such Family""#, "3:60", "No Such Family"),
    (#""filter": "text", "content": "a", "fontFile": "it""#, "3:64", "is not a font"),
    (#""filter": "text", "content": "<b>{stem}</i>", "markup": true"#, "3:47", "cannot be drawn"),
    (#""filter": "text", "content": "<span size='x'>a</span>", "markup": true"#, "3:47", "cannot"),
    (#""filter": "watermark", "image": "it""#, "3:50", "'it' cannot be read"),
    (#""filter": "invert", "mask": {"image": {"file": "it"}}"#, "3:65", "'it' cannot be read"),
  ])
  func drawingErrorsThatAffectEveryPhotoAreReportedBeforeTheFirst(
    _ step: String, _ place: String, _ message: String
  ) throws {
    let result = try Self.run(step, ["it": "no picture, and no font"])
    #expect(result.code == 65)
    #expect(result.messages.contains("recipe.json:\(place): error:"), "\(result.messages)")
    #expect(result.messages.contains(message), "\(result.messages)")
  }

  /// Damage to an image that shows only when its pixels are decoded is reported before any photo is
  /// processed.
  @Test(
    arguments: TestVolume.pairs(
      [
        #""filter": "watermark", "image": "it""#,
        #""filter": "invert", "mask": {"image": {"file": "it"}}"#,
        #""filter": "lut", "file": "it""#, #""filter": "lensBlur", "depthMap": "it""#,
      ], [false, true]))
  func aDamagedImageThatTheRecipeNamesIsReportedFirst(_ step: String, isJPEG: Bool) throws {
    if isJPEG && step.contains("lut") { return }
    let place = try Workplace()
    let whole =
      try isJPEG
      ? SyntheticPhoto.jpeg(width: 300, height: 200) : SyntheticPhoto.noise(width: 64, height: 64)
    try place.folder.write(
      """
      {
        "identifier": "org.example.named", "version": "1.0.0",
        "filters": [ { \(step) } ], "outputs": [ { "name": "web", "format": "jpeg" } ]
      }
      """, to: "recipe.json")
    try place.folder.write(whole, to: "it")
    #expect(try place.run("recipe", "--check").code == 2)
    try place.folder.write(Array(whole.prefix(whole.count * 2 / 3)), to: "it")
    for result in [try place.run(), try Command.run(["validate", place.path("recipe.json")])] {
      #expect(result.code == 65)
      #expect(result.messages.contains("recipe.json:3:"), "\(result.messages)")
      #expect(result.messages.contains("the file 'it' cannot be read"), "\(result.messages)")
      #expect(result.messages.contains("copy it again from its source"))
      #expect(!result.messages.contains("avg:"))
    }
    #expect(try place.names() == ["a.jpg"])
  }

  /// If a file is undamaged but its format is not supported in steps, the hint does not recommend
  /// copying it again.
  @Test(
    arguments: TestVolume.pairs(
      [
        #""filter": "watermark", "image": "it""#,
        #""filter": "invert", "mask": {"image": {"file": "it"}}"#,
      ],
      [
        ("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "the file is an SVG drawing"),
        ("P6 1 1 255\nabc", "the file is a portable pixmap"),
      ]))
  func anImageInAnUnsupportedFormatHasAHintOfItsOwn(
    _ step: String, _ file: (text: String, kind: String)
  ) throws {
    let result = try Self.run(step, ["it": file.text])
    #expect(result.code == 65)
    #expect(result.messages.contains("recipe.json:3:"), "\(result.messages)")
    #expect(result.messages.contains("the file 'it' cannot be read: \(file.kind)"))
    #expect(result.messages.contains("hint: save it as PNG, JPEG, WebP or TIFF"))
  }

  @Test func thePixelLimitAppliesToMaskFiles() throws {
    let place = try Workplace()
    try place.folder.write(try SyntheticPhoto.png(width: 90, height: 60), to: "mask.png")
    try place.folder.write(
      """
      {
        "identifier": "org.example.named", "version": "1.0.0",
        "filters": [ { "filter": "invert", "mask": {"image": {"file": "mask.png"}} } ],
        "outputs": [ { "name": "web", "format": "jpeg" } ]
      }
      """, to: "recipe.json")
    let result = try place.run("recipe", "--max-pixels", "5000")
    #expect(result.code == 65)
    #expect(result.messages.contains("recipe.json:3:"), "\(result.messages)")
    #expect(
      result.messages.contains("'mask.png' has 90×60 pixels, more than the limit of 5000"))
    #expect(result.messages.contains("--max-pixels"))
    #expect(try place.run("recipe", "--max-pixels", "5400").code == 0)
  }

  /// An image that needs more memory than there is causes an error before it is decoded; the hint
  /// states a sufficient limit.
  @Test func aNamedImageThatNeedsTooMuchMemoryIsAnErrorWithAHint() throws {
    let place = try Workplace()
    let image = try Image.calling(
      "black", ["width": .integer(6000), "height": .integer(4000), "bands": .integer(3)]
    ).image("out")
    try place.folder.write(
      try SyntheticPhoto.bytes(image, "pngsave_target", ["interlace": .flag(true)]),
      to: "mark.png")
    try place.folder.write(
      """
      {
        "identifier": "org.example.named", "version": "1.0.0",
        "filters": [ { "filter": "watermark", "image": "mark.png" } ],
        "outputs": [ { "name": "web", "format": "jpeg" } ]
      }
      """, to: "recipe.json")
    for command in [
      ["run", place.path("recipe.json"), place.library], ["validate", place.path("recipe.json")],
    ] {
      let result = try Command.run(command + ["--memory", "100M"])
      #expect(result.code == 65)
      #expect(result.messages.contains("recipe.json:3:"), "\(result.messages)")
      #expect(
        result.messages.contains("the image 'mark.png' cannot be checked: about "),
        "\(result.messages)")
      let hint = try #require(
        result.messages.firstMatch(of: /use --memory ([0-9]+M), or make the image/))
      let enough = try Command.run(command + ["--memory", String(hint.1)])
      #expect(enough.code == 0, "\(enough.messages)")
    }
  }

  @Test func validateReportsUnusableFilesThatTheRecipeNames() throws {
    let place = try Workplace()
    for name in ["it", "it.icc"] { try place.folder.write("no picture, no profile", to: name) }
    func validate(_ image: String, _ markup: String, _ profile: String) throws -> CommandResult {
      try place.folder.write(
        """
        {
          "identifier": "org.example.named", "version": "1.0.0",
          "filters": [
            { "filter": "watermark", "image": "\(image)" },
            { "filter": "text", "content": "\(markup)", "markup": true }
          ],
          "outputs": [ { "name": "web", "format": "jpeg", "profile": "\(profile)" } ]
        }
        """, to: "recipe.json")
      return try Command.run(["validate", place.path("recipe.json")])
    }
    let result = try validate("it", "<b>{title}", "it.icc")
    #expect(result.code == 65)
    for line in ["4:", "5:", "7:"] {
      #expect(result.messages.contains("recipe.json:\(line)"), "\(result.messages)")
    }
    try place.folder.write(try SyntheticPhoto.png(width: 9, height: 9), to: "mark.png")
    let good = try validate("mark.png", "<b>{title}</b>", "srgb")
    #expect(good.code == 0, "\(good.messages)")
  }

  /// Markup around a placeholder without a value draws no text.
  @Test func markupAroundAnEmptyPlaceholderDrawsNoText() throws {
    let place = try Workplace()
    try place.folder.write(
      """
      {
        "identifier": "org.example.named", "version": "1.0.0",
        "filters": [ { "filter": "text", "content": "<b>{title}</b>", "markup": true } ],
        "outputs": [ { "name": "web", "format": "jpeg" } ]
      }
      """, to: "recipe.json")
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
  }

  private static func marked() throws -> Workplace {
    let place = try Workplace()
    try place.folder.write(try SyntheticPhoto.png(width: 12, height: 9), to: "mark.png")
    try place.folder.write(
      """
      {
        "identifier": "org.example.marked", "version": "1.0.0",
        "filters": [ { "filter": "watermark", "image": "mark.png" } ],
        "outputs": [ { "name": "web", "format": "png" } ]
      }
      """, to: "recipe.json")
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    return place
  }

  /// If a file that the recipe names was replaced, the renditions made with the old file are kept,
  /// so that `undo` can restore them.
  @Test func undoRestoresRenditionsEvenIfANamedFileWasReplaced() throws {
    let place = try Self.marked()
    let first = try place.read("a.web.png")
    try place.folder.write(try SyntheticPhoto.png(width: 20, height: 5), to: "mark.png")
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try place.read("a.web.png") != first)
    let undone = try Command.run(["undo", place.library])
    #expect(undone.code == 0, "\(undone.messages)")
    #expect(try place.read("a.web.png") == first)
  }

  @Test func undoRestoresRenditionsEvenIfANamedFileIsMissing() throws {
    let place = try Self.marked()
    let first = try place.read("a.web.png")
    try FileManager.default.removeItem(atPath: place.path("mark.png"))
    #expect(try Command.run(["revert", place.path("photos/a.jpg")]).code == 0)
    #expect(try !place.names().contains("a.web.png"))
    let undone = try Command.run(["undo", place.library])
    #expect(undone.code == 0, "\(undone.messages)")
    #expect(try place.read("a.web.png") == first)
  }
}
