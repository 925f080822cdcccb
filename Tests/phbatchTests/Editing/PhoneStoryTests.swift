import Foundation
import TestSupport
import Testing

/// A photographer's library gets photos that were edited on a phone.
///
/// Each of these photos has three files: the original, the adjustment (AAE), and the edited image.
@Suite struct PhoneStoryTests {
  /// The three files of one photo.
  struct Export: Sendable, CustomStringConvertible {
    let description: String
    let original: [UInt8]
    let adjustment: [UInt8]
    let edited: [UInt8]

    static let isMade = "made here"

    /// An export that imitates an iPhone's, with two synthetic pictures.
    static func made() throws -> Export {
      let plist = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>adjustmentData</key><data>AAECAwQ=</data>
        <key>adjustmentFormatIdentifier</key><string>com.apple.photo</string>
        <key>adjustmentFormatVersion</key><string>1.4</string>
        </dict></plist>
        """
      return Export(
        description: isMade, original: try SyntheticPhoto.jpeg(width: 90, height: 60),
        adjustment: Array(plist.utf8), edited: try SyntheticPhoto.jpeg(width: 60, height: 60))
    }

    /// An export by an iPhone, from the corpus.
    static func real(_ corpus: String) throws -> Export {
      func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(corpus)/sidecars/photoprism/\(name)")))
      }
      return Export(
        description: "IMG_4120", original: try read("IMG_4120.JPG"),
        adjustment: try read("IMG_4120.AAE"), edited: try read("IMG_E4120.JPG"))
    }

    var files: [String: [UInt8]] {
      ["IMG_1.JPG": original, "IMG_1.AAE": adjustment, "IMG_E1.JPG": edited]
    }
  }

  @Test func editsThatImitateAPhoneExportAreKept() throws { try live(with: .made()) }

  @Test(.enabled(if: Corpus.isHere)) func editsInARealPhoneExportAreKept() throws {
    try live(with: .real(#require(Corpus.folder)))
  }

  private func live(with export: Export) throws {
    let place = try Workplace([])
    for (name, bytes) in export.files { try place.folder.write(bytes, to: "photos/\(name)") }
    func expectTheirsUntouched() throws {
      for (name, bytes) in export.files { #expect(try place.read(name) == bytes, "\(name)") }
    }
    func night(_ recipe: String, _ more: String...) throws -> [String: String] {
      try Command.run(
        ["run", place.path("\(recipe).json"), place.library, "--format", "json"] + more
      ).reasons
    }
    func bytes() throws -> [String: [UInt8]?] { try place.snapshot().mapValues(\.bytes) }
    let photo = place.path("photos/IMG_1.JPG")
    try Self.recipe("warm", stops: 0.2, in: place)
    try Self.recipe("print", stops: -0.3, in: place)

    // The recipe starts from the edited photo, not from the original.
    #expect(try night("warm") == ["IMG_1.JPG": "rendered"])
    #expect(try place.read("IMG_1.warm.png") == Self.rendering(export.edited, "warm"))
    #expect(try place.read("IMG_1.warm.png") != Self.rendering(export.original, "warm"))
    let history = try Command.run(["history", photo]).output
    #expect(history.contains("com.apple.photo 1.4, by another program (aae: IMG_1.AAE)"))
    #expect(history.contains("current image: IMG_E1.JPG"))
    #expect(history.contains("from IMG_E1.JPG"))
    #expect(try Command.run(["status", place.library]).output.contains("by another program (aae)"))
    let first = try bytes()
    for _ in 0..<3 { #expect(try night("warm") == ["IMG_1.JPG": "up-to-date"]) }
    #expect(try bytes() == first)

    // A second recipe starts from the rendition of the first. If the settings or the version of the
    // first recipe change, the second is rendered again too, always from the edited photo.
    #expect(try night("print") == ["IMG_1.JPG": "rendered"])
    #expect(try Command.run(["adjust", photo, "--set", "exposure.stops=0.6"]).code == 0)
    #expect(try night("print") == ["IMG_1.JPG": "rendered"])
    try Self.recipe("warm", stops: 0.5, in: place)
    #expect(try night("warm") == ["IMG_1.JPG": "rendered"])
    #expect(try place.read("IMG_1.warm.png") == Self.rendering(export.edited, "warm", stops: 0.5))
    #expect(try night("print") == ["IMG_1.JPG": "up-to-date"])
    try expectTheirsUntouched()

    // The stack is reverted to the phone's edit, and the reversion is undone.
    let stacked = try bytes()
    #expect(try Command.run(["revert", place.library, "--all"]).code == 0)
    #expect(
      try place.names() == ["IMG_1.AAE", "IMG_1.JPG", "IMG_1.JPG.phbatch.json", "IMG_E1.JPG"])
    try expectTheirsUntouched()
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try bytes() == stacked)

    // The photo is edited again on the phone. A run renders it from the new image only with
    // `--accept-changed`.
    let again = try SyntheticPhoto.jpeg(width: 44, height: 44)
    try place.folder.write(again, to: "photos/IMG_E1.JPG")
    #expect(try night("warm") == ["IMG_1.JPG": "original-changed"])
    #expect(try place.read("IMG_1.warm.png") == stacked["IMG_1.warm.png"] ?? nil)
    #expect(try night("warm", "--accept-changed") == ["IMG_1.JPG": "rendered"])
    #expect(try place.read("IMG_1.warm.png") == Self.rendering(again, "warm", stops: 0.5))
    #expect(try night("warm") == ["IMG_1.JPG": "up-to-date"])
    #expect(try place.read("IMG_E1.JPG") == again)
    #expect(try place.read("IMG_1.JPG") == export.original)
    #expect(try Command.run(["verify", place.library]).code == 0)
  }

  /// If the phone's edit arrives after phbatch has edited the photo, it is reported, and is used
  /// only if an option requires it.
  @Test func aPhonesEditThatArrivesLaterIsUsedOnlyByOption() throws { try arrive(.made()) }

  @Test(.enabled(if: Corpus.isHere)) func aRealPhonesEditThatArrivesLaterIsUsedOnlyByOption() throws
  {
    try arrive(.real(#require(Corpus.folder)))
  }

  private func arrive(_ export: Export) throws {
    let place = try Workplace([])
    try place.folder.write(export.original, to: "photos/IMG_1.JPG")
    try Self.recipe("warm", stops: 0.2, in: place)
    #expect(try place.reasons("warm").reasons == ["IMG_1.JPG": "rendered"])
    #expect(try place.read("IMG_1.warm.png") == Self.rendering(export.original, "warm"))
    for (name, bytes) in export.files { try place.folder.write(bytes, to: "photos/\(name)") }
    let before = try place.snapshot()
    let told = try place.reasons("warm")
    #expect(told.reasons == ["IMG_1.JPG": "foreign-newer"])
    #expect(told.code == 0)
    #expect(
      try place.reasons("warm", "--on-foreign", "ignore").reasons == ["IMG_1.JPG": "up-to-date"])
    #expect(try place.snapshot() == before)
    #expect(
      try place.reasons("warm", "--on-foreign", "replace").reasons == ["IMG_1.JPG": "rendered"])
    #expect(try place.read("IMG_1.warm.png") == Self.rendering(export.edited, "warm"))
    #expect(try place.reasons("warm").reasons == ["IMG_1.JPG": "up-to-date"])
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try place.read("IMG_1.warm.png") == Self.rendering(export.original, "warm"))
    for (name, bytes) in export.files { #expect(try place.read(name) == bytes, "\(name)") }
  }

  /// A phone's edit that arrives later is not used without permission if it would also replace the
  /// edits of other recipes.
  @Test func aLaterPhoneEditReplacesOtherRecipesEditsOnlyWithConsent() throws {
    let export = try Export.made()
    let place = try Workplace([])
    try place.folder.write(export.original, to: "photos/IMG_1.JPG")
    for (name, stops) in [("warm", 0.2), ("print", -0.3)] {
      try Self.recipe(name, stops: stops, in: place)
      #expect(try place.reasons(name).reasons == ["IMG_1.JPG": "rendered"])
    }
    let photo = place.path("photos/IMG_1.JPG")
    #expect(
      try Command.run(
        ["adjust", photo, "--recipe", place.path("print.json"), "--set", "exposure.stops=-1"]
      ).code == 0)
    #expect(try place.reasons("print").reasons == ["IMG_1.JPG": "rendered"])
    for (name, bytes) in export.files { try place.folder.write(bytes, to: "photos/\(name)") }
    let before = try place.snapshot()
    let refused = try place.run("warm", "--on-foreign", "replace")
    #expect(refused.code == 4)
    #expect(refused.messages.contains("the edit by org.example.print"))
    #expect(refused.messages.contains("exposure.stops = -1"))
    #expect(refused.messages.contains("--yes"))
    #expect(try place.snapshot() == before)
    #expect(
      try place.reasons("warm", "--on-foreign", "replace", "--yes").reasons
        == ["IMG_1.JPG": "rendered"])
    #expect(try place.read("IMG_1.warm.png") == Self.rendering(export.edited, "warm"))
    #expect(try !place.names().contains("IMG_1.print.png"))
  }

  private static func recipe(
    _ name: String, stops: Double, in place: Workplace
  ) throws {
    try place.recipe(
      name, variant: nil, stops: stops,
      output: #""name": "\#(name)", "format": "png", "metadata": "none""#)
  }

  /// The rendition of a photo by a recipe in a separate library.
  private static func rendering(
    _ photo: [UInt8], _ recipe: String, stops: Double = 0.2
  ) throws -> [UInt8] {
    let place = try Workplace([])
    try place.folder.write(photo, to: "photos/a.jpg")
    try Self.recipe(recipe, stops: stops, in: place)
    _ = try place.run(recipe)
    return try place.read("a.\(recipe).png")
  }
}
