import Foundation
import TestSupport
import Testing

/// Selects one photo of a pair that a camera wrote: a raw photo and a JPEG of the same name.
@Suite struct RawPairTests {
  private static func place() throws -> Workplace {
    let place = try Workplace(["a.jpg", "b.jpg"])
    let file = SyntheticDNG(width: 60, height: 40) { x, _, _ in Double(x) / 100 }
    try place.folder.write(file.bytes, to: "photos/a.dng")
    try place.folder.write(file.bytes, to: "photos/c.dng")
    return place
  }

  @Test func onlyTheJPEGOfARawPairIsRenderedByDefault() throws {
    let place = try Self.place()
    try place.recipe()
    #expect(
      try place.reasons().reasons == [
        "a.dng": "not-selected", "a.jpg": "rendered", "b.jpg": "rendered", "c.dng": "rendered",
      ])
    // The JPEG rendition of `c.dng` is not treated as a JPEG that the camera wrote beside it.
    #expect(try place.reasons().reasons["c.dng"] == "up-to-date")
  }

  /// A run names each raw photo whose coding cannot be read, and a file of each other format.
  @Test func rawPhotosOfUnknownCodingAreNamed() throws {
    let place = try Workplace(["b.jpg"])
    try place.folder.write(
      Array("FOVb\0\0\u{2}\0".utf8) + [UInt8](repeating: 0, count: 400), to: "photos/a.x3f")
    try place.folder.write("%PDF-1.4", to: "photos/c.pdf")
    try place.recipe()
    for _ in 0..<2 {
      let result = try place.run()
      #expect(
        result.messages.contains("warning: a.x3f: the raw photo cannot be read"),
        "\(result.messages)")
      #expect(!result.messages.contains("warning: c.pdf"))
      #expect(result.messages.contains("c.pdf: unsupported-format (a PDF document)"))
    }
  }

  @Test func onlyTheRawPhotoOfAPairIsRenderedOnRequest() throws {
    let place = try Self.place()
    try place.recipe(more: #""inputs": {"rawAndJPEG": "raw", "raw": {"look": "linear"}},"#)
    #expect(
      try place.reasons().reasons == [
        "a.dng": "rendered", "a.jpg": "not-selected", "b.jpg": "rendered", "c.dng": "rendered",
      ])
  }

  /// A change of the settings for raw photos renders only raw photos again, by their bytes.
  @Test func settingsForRawPhotosConcernOnlyThese() throws {
    let place = try Self.place()
    let raw = SyntheticDNG(width: 60, height: 40) { _, y, _ in Double(y) / 100 }.bytes
    try place.folder.write(raw, to: "photos/d.jpg")
    func run(_ look: String, _ stops: Double) throws -> [String: String] {
      try place.recipe(
        stops: stops, more: #""inputs": {"raw": {"look": "\#(look)"}},"#)
      return try place.reasons().reasons.filter { $0.value == "rendered" }
    }
    #expect(try run("neutral", 0.5).count == 4)
    #expect(try Set(run("linear", 0.5).keys) == ["c.dng", "d.jpg"])
    #expect(try run("linear", 0.5).isEmpty)
    #expect(try run("linear", 1).count == 4)
    #expect(try run("linear", 1).isEmpty)
    #expect(try place.run("recipe", "--check").code == 0)
  }

  /// A file is rendered if the recipe does not select its partner.
  ///
  /// Both files would have the same rendition.
  @Test(arguments: [
    ("jpeg", #""include": ["**/*.dng"]"#, "a.dng"), ("raw", #""include": ["**/*.jpg"]"#, "a.jpg"),
    ("jpeg", #""where": {"format": "raw"}"#, "a.dng"),
    ("raw", #""where": {"format": "jpeg"}"#, "a.jpg"),
    ("jpeg", #""where": {"rating": ">=3"}"#, "a.dng"),
    ("jpeg", #""where": {"width": ">=1"}"#, "a.jpg"),
    ("raw", #""where": {"width": ">=1"}"#, "a.dng"),
  ])
  func aFileIsRenderedIfTheOtherOneIsNotSelected(
    _ choice: String, _ selection: String, _ rendered: String
  ) throws {
    let place = try Self.place()
    try place.rate("a.dng", 5)
    try place.recipe(
      more: #""inputs": {"rawAndJPEG": "\#(choice)"}, "select": {\#(selection)},"#)
    for (arguments, reason) in [(["--dry-run"], "due"), ([], "rendered")] {
      let reasons = try Command.run(
        ["run", place.path("recipe.json"), place.library, "--format", "json"] + arguments
      ).reasons
      for name in ["a.dng", "a.jpg"] {
        #expect(reasons[name] == (name == rendered ? reason : "not-selected"), "\(reasons)")
      }
    }
    #expect(try place.names().contains("\(rendered).phbatch.json"))
    #expect(try place.reasons().reasons[rendered] == "up-to-date")
  }

  /// Bytes decide what a file is: if no file is of the kind that is rendered instead, none is left
  /// alone because of it.
  @Test(arguments: ["raw", "jpeg"]) func filesOfOneKindAreNoPair(_ choice: String) throws {
    let place = try Workplace(["a.jpg"])
    let raw = SyntheticDNG(width: 60, height: 40) { x, _, _ in Double(x) / 100 }.bytes
    if choice == "jpeg" { try place.folder.write(raw, to: "photos/a.jpg") }
    try place.folder.write(
      choice == "jpeg" ? raw : Array(Data(contentsOf: URL(filePath: place.path("photos/a.jpg")))),
      to: "photos/a.dng")
    try place.recipe(
      output: #""name": "web", "format": "jpeg", "path": "{name}.web.{ext}""#,
      more: #""inputs": {"rawAndJPEG": "\#(choice)"},"#)
    let reasons = try place.reasons().reasons
    #expect(reasons["a.\(choice == "raw" ? "dng" : "jpg")"] == "rendered", "\(reasons)")
  }

  @Test func bothFilesOfARawPairAreRenderedOnRequest() throws {
    let place = try Self.place()
    try place.recipe(
      output: #""name": "web", "format": "jpeg", "path": "{name}.web.{ext}""#,
      more: #""inputs": {"rawAndJPEG": "both"},"#)
    let reasons = try place.reasons().reasons
    #expect(reasons["a.dng"] == "rendered" && reasons["a.jpg"] == "rendered")
  }

  /// A rendition whose sidecar is lost is not the JPEG that the camera wrote beside the raw photo, with
  /// the library's ledger or by the mark alone.
  @Test(arguments: [false, true]) func aRenditionBesideItsRawPhotoIsNoPhoto(
    _ withLedger: Bool
  ) throws {
    let place = try Workplace([])
    let file = SyntheticDNG(width: 60, height: 40) { x, _, _ in Double(x) / 100 }
    try place.folder.write(file.bytes, to: "photos/c.dng")
    try place.recipe(output: #""name": "web", "format": "jpeg", "path": "{stem}.jpg""#)
    #expect(try place.reasons().reasons["c.dng"] == "rendered")
    for name in ["c.dng.phbatch.json"] + (withLedger ? [] : [".phbatch"]) {
      try FileManager.default.removeItem(atPath: place.path("photos/\(name)"))
    }
    // Another output of the raw photo.
    try place.recipe(output: #""name": "web", "format": "jpeg", "path": "{stem}.b.jpg""#)
    let reasons = try place.reasons().reasons
    #expect(reasons == ["c.dng": "rendered", "c.jpg": "orphan"])
    #expect(try !place.folder.files().contains { $0.hasSuffix("c.jpg.phbatch.json") })
  }

  /// A change of the file that runs do not select does not announce a rendition.
  @Test func aChangeOfTheOtherFileOfARawPairSaysSo() throws {
    let place = try Self.place()
    try place.recipe()
    #expect(try place.run().code == 0)
    let change = ["--recipe", place.path("recipe.json"), "--focal-point", "0.5,0.5"]
    let result = try Command.run(["adjust", place.path("photos/a.dng")] + change)
    #expect(result.code == 0, "\(result.messages)")
    let text = result.output + result.messages
    #expect(text.contains("runs render the photo's JPEG instead") && !text.contains(": due"))
    try place.recipe(more: #""select": {"include": ["**/*.dng"]},"#)
    let adjusted = try Command.run(
      ["adjust", place.path("photos/a.dng"), "--set", "exposure.stops=1"] + change.prefix(2))
    #expect(adjusted.code == 0, "\(adjusted.messages)")
    #expect(!(adjusted.output + adjusted.messages).contains("instead"))
  }

  /// `adjust` does not check the recipe's conditions, which decide which file runs render.
  @Test func aChangeOfARawPairIsNotCalledUselessIfTheRecipeHasConditions() throws {
    let place = try Self.place()
    try place.rate("a.dng", 5)
    try place.recipe(more: #""select": {"where": {"rating": ">=3"}},"#)
    #expect(try place.run().code == 0)
    let result = try Command.run([
      "adjust", place.path("photos/a.dng"), "--recipe", place.path("recipe.json"), "--set",
      "exposure.stops=1",
    ])
    #expect(result.code == 0, "\(result.messages)")
    #expect(
      result.output.contains("the next run renders it if the recipe selects it"),
      "\(result.output)")
    #expect(try place.reasons().reasons["a.dng"] == "rendered")
  }

  /// A path without an extension names both files.
  @Test func bothFilesOfARawPairAreAdjustedTogether() throws {
    let place = try Self.place()
    try place.recipe(
      output: #""name": "web", "format": "jpeg", "path": "{name}.web.{ext}""#,
      more: #""inputs": {"rawAndJPEG": "both"},"#)
    #expect(try place.run().code == 0)
    let change = ["--set", "exposure.stops=1"]
    let both = try Command.run(["adjust", place.path("photos/a")] + change)
    #expect(both.code == 0, "\(both.messages)")
    for name in ["a.dng", "a.jpg"] { #expect(try place.sidecar(name).contains("exposure.stops")) }
    #expect(
      try place.reasons().reasons.filter { $0.value == "rendered" }.keys.sorted() == [
        "a.dng", "a.jpg",
      ])
    // A photo without a partner needs its extension.
    for name in ["c", "b", "none"] {
      let refused = try Command.run(["adjust", place.path("photos/\(name)")] + change)
      #expect(refused.code == 66 && refused.messages.contains("there is no photo"), "\(name)")
      let hint = ["c": "c.dng'", "b": "b.jpg'"][name] ?? "check the path"
      #expect(refused.messages.contains(hint), "\(refused.messages)")
    }
  }

  /// If runs render one file of a pair, a name for both, or for their folder, passes over the other
  /// file.
  @Test(arguments: ["a", ""]) func theFileOfAPairWithoutAnEditIsPassedOver(
    _ name: String
  ) throws {
    let place = try Self.place()
    try place.recipe()
    let named = place.path("photos/\(name)")
    func adjust(_ path: String) throws -> (code: Int32, text: String) {
      let result = try Command.run(["adjust", path, "--set", "exposure.stops=1"])
      return (result.code, result.output + result.messages)
    }
    #expect(try place.run().code == 0)
    let own = try adjust(place.path("photos/a.dng"))
    #expect(own.code == 64 && own.text.contains("a.dng: no-edit"), "\(own)")
    let both = try adjust(named)
    #expect(both.code == 0, "\(both)")
    #expect(
      both.text.contains("a.dng: skipped (the photo has no edits; the edit of 'a.jpg' is changed)"),
      "\(both)")
    #expect(try place.sidecar("a.jpg").contains("exposure.stops"))
    #expect(try !place.names().contains("a.dng.phbatch.json"))
    #expect(try Command.run(["revert", named, "--all"]).code == 0)
    let none = try adjust(named)
    #expect(none.code == 64 && none.text.contains("a.dng: no-edit"), "\(none)")
  }

  /// All commands that take photos accept a name without an extension; upper and lower case are
  /// equal in it, as between the two files.
  @Test func aPairIsNamedWithoutItsExtensionInAllCommands() throws {
    let place = try Workplace(["other.jpg"])
    let file = SyntheticDNG(width: 60, height: 40) { x, _, _ in Double(x) / 100 }
    try place.folder.write(file.bytes, to: "photos/IMG_1.DNG")
    try place.folder.write(
      try SyntheticPhoto.jpeg(width: 60, height: 40), to: "photos/img_1.jpg")
    try place.recipe(
      output: #""name": "web", "format": "jpeg", "path": "{name}.web.{ext}""#,
      more: #""inputs": {"rawAndJPEG": "both"},"#)
    let (recipe, pair) = (place.path("recipe.json"), place.path("photos/Img_1"))
    let both = ["IMG_1.DNG", "img_1.jpg"]
    #expect(try place.run().code == 0)
    let adjusted = try Command.run(["adjust", pair, "--set", "exposure.stops=1"])
    #expect(adjusted.code == 0, "\(adjusted.messages)")
    for name in both { #expect(try place.sidecar(name).contains("exposure.stops")) }
    let history = try Command.run(["history", pair])
    let status = try Command.run(["status", pair, "--recipe", recipe])
    let page = place.path("preview.html")
    let preview = try Command.run(["preview", recipe, pair, "-o", page])
    #expect(preview.output.contains("2 photos"), "\(preview.output) \(preview.messages)")
    for result in [history, status] {
      #expect(
        both.allSatisfy(result.output.contains)
          && !result.output.contains("other.jpg"),
        "\(result.output) \(result.messages)")
    }
    // A second name is not confused with the second photo of the pair.
    for names in [[pair], [pair, place.path("photos/other.jpg")]] {
      let check = try Command.run(["run", "--check", recipe] + names + ["--format", "json"])
      let due = both.allSatisfy { check.output.contains("\"\($0)\"") }
      let isOtherDue = check.output.contains("\"other.jpg\"")
      #expect(due && isOtherDue == (names.count == 2), "\(check.output)")
    }
    let undone = try Command.run(["undo", pair])
    #expect(undone.code == 0, "\(undone.messages)")
    for name in both { #expect(try !place.sidecar(name).contains("exposure.stops")) }
    let reverted = try Command.run(["revert", pair])
    #expect(reverted.code == 0, "\(reverted.messages)")
    #expect(try place.names().filter { $0.contains(".web.") } == ["other.jpg.web.jpg"])
  }

  /// The rendition of the other file must be given up first, because nothing is overwritten.
  @Test func theRawPhotoTakesThePlaceOfTheJPEGAfterItIsReverted() throws {
    let place = try Self.place()
    try place.recipe()
    #expect(try place.run().code == 0)
    try place.recipe(more: #""inputs": {"rawAndJPEG": "raw"},"#)
    let blocked = try place.run()
    #expect(blocked.messages.contains("phbatch revert"), "\(blocked.messages)")
    #expect(try Command.run(["revert", place.path("photos/a.jpg"), "--all"]).code == 0)
    #expect(try place.reasons().reasons["a.dng"] == "rendered")
  }
}
