import Foundation
import Glibc
import TestSupport
import Testing

/// Edits by other programs that appear, change and disappear beside a photo.
@Suite struct ForeignEditTests {
  private static func xmp(_ exposure: String) -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
     xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" crs:HasSettings="True"
     crs:Exposure2012="\(exposure)"/></rdf:RDF></x:xmpmeta>
    """
  }

  /// A photo that was edited on a phone, and a recipe for it.
  private func telephone() throws -> Workplace {
    let place = try Workplace([])
    for (name, bytes) in try PhoneStoryTests.Export.made().files {
      try place.folder.write(bytes, to: "photos/\(name)")
    }
    try place.recipe(variant: nil)
    return place
  }

  private func remove(_ name: String, in place: Workplace) throws {
    try FileManager.default.removeItem(atPath: place.path("photos/\(name)"))
  }

  @Test func aRunReportsAChangedSettingsFileOfAnotherProgram() throws {
    let place = try Workplace()
    try place.folder.write(Self.xmp("+0.50"), to: "photos/a.xmp")
    try place.recipe(variant: nil)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
    try place.folder.write(Self.xmp("+1.50"), to: "photos/a.xmp")
    let (reasons, code) = try place.reasons()
    #expect(reasons == ["a.jpg": "foreign-newer"])
    #expect(code == 0)
    // Every run reports the photo and the other program's file, even if the result comes from the
    // index.
    for _ in 0..<3 {
      let output = try place.run().output
      #expect(output.hasPrefix("a.jpg: foreign-newer (the edit by another program in 'a.xmp'"))
    }
    #expect(try place.run("recipe", "--quiet").output == "")
    let status = try Command.run(["status", place.library]).output
    #expect(status.contains("by another program (camera-raw), changed since"))
    #expect(status.contains("by another program (camera-raw), not recorded by a run yet"))
    let ignored = try place.reasons("recipe", "--on-foreign", "ignore").reasons
    #expect(ignored == ["a.jpg": "up-to-date"])
    #expect(try place.reasons("recipe", "--on-foreign", "replace").reasons == ["a.jpg": "rendered"])
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
    try remove("a.xmp", in: place)
    #expect(try place.reasons().reasons == ["a.jpg": "foreign-newer"])
    #expect(try place.run().output.contains("the edit by another program in 'a.xmp' was removed"))
    #expect(try Command.run(["status", place.library]).output.contains("missing since"))
    #expect(try place.reasons("recipe", "--on-foreign", "replace").reasons == ["a.jpg": "rendered"])
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
    #expect(try !place.sidecar("a.jpg").contains("foreign"))
  }

  /// If another program changes only the rating in its sidecar, a run does not treat that as a new
  /// edit.
  @Test(
    arguments: [
      (
        "a.jpg.xmp", #"crs:HasSettings="True" crs:Exposure2012="+0.50" xmp:Rating="1""#,
        #"xmp:Rating="5" crs:RawFileName="a.jpg" crs:Exposure2012="+0.50" crs:HasSettings="True""#
      ),
      (
        "a.jpg.xmp", #"darktable:history_end="1" darktable:change_timestamp="1""#,
        #"darktable:history_end="1" darktable:change_timestamp="2" xmp:Rating="-1""#
      ),
      (
        "a.jpg.pp3", "[General]\nRank=0\n[Exposure]\nBlack=9",
        "[Exposure]\nBlack=9\n[General]\nRank=4"
      ),
    ])
  func aChangedRatingInASidecarOfAnotherProgramIsNotAnEdit(
    _ name: String, _ before: String, _ after: String
  ) throws {
    func text(_ settings: String) -> String {
      if name.hasSuffix("pp3") { return settings }
      return """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
         xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
         xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
         xmlns:darktable="http://darktable.sf.net/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
         \(settings)>\(settings.contains("darktable") ? Self.history : "")
        </rdf:Description></rdf:RDF></x:xmpmeta>
        """
    }
    let place = try Workplace()
    try place.folder.write(text(before), to: "photos/\(name)")
    try place.recipe(variant: nil)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try place.sidecar("a.jpg").contains(#""settingsSha256": "#))
    try place.folder.write(text(after), to: "photos/\(name)")
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
    #expect(try !Command.run(["status", place.library]).output.contains("changed since"))
    let edited = after.replacing("+0.50", with: "+1").replacing("Black=9", with: "Black=8")
      .replacing(#"history_end="1""#, with: #"history_end="2""#)
    try place.folder.write(text(edited), to: "photos/\(name)")
    #expect(try place.reasons().reasons == ["a.jpg": "foreign-newer"])
  }

  @Test func anotherProgramsSettingsInUTF16AreRead() throws {
    let place = try Workplace()
    let units = ("\u{FEFF}" + Self.xmp("+0.50")).utf16
    try place.folder.write(
      units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, to: "photos/a.xmp")
    try place.recipe(variant: nil)
    let result = try place.run()
    #expect(result.code == 0)
    #expect(!result.messages.contains("was ignored"))
    #expect(try place.sidecar("a.jpg").contains("com.adobe.camera-raw"))
    let recipe = try Command.run(["import", place.path("photos/a.xmp")])
    #expect(recipe.output.contains(#""stops": 0.5"#))
  }

  private static let history = """
    <darktable:history><rdf:Seq><rdf:li darktable:num="0" darktable:operation="exposure"
     darktable:enabled="1"/></rdf:Seq></darktable:history>
    """

  @Test func aRunReportsTheMissingImageOfAnotherProgramsEdit() throws {
    let place = try telephone()
    #expect(try place.reasons().reasons == ["IMG_1.JPG": "rendered"])
    let before = try place.read("IMG_1.web.jpg")
    try remove("IMG_E1.JPG", in: place)
    let (reasons, code) = try place.reasons()
    #expect(reasons == ["IMG_1.JPG": "base-missing"])
    #expect(code == 4)
    #expect(try place.read("IMG_1.web.jpg") == before)
    try remove("IMG_1.AAE", in: place)
    #expect(try place.reasons().reasons == ["IMG_1.JPG": "base-missing"])
    #expect(
      try place.reasons("recipe", "--on-foreign", "ignore").reasons == ["IMG_1.JPG": "up-to-date"])
    #expect(
      try place.reasons("recipe", "--on-foreign", "replace").reasons == ["IMG_1.JPG": "rendered"])
    #expect(try place.reasons().reasons == ["IMG_1.JPG": "up-to-date"])
    #expect(try place.read("IMG_1.web.jpg") != before)
  }

  @Test func aChangedAdjustmentFileIsReportedAsNewer() throws {
    let place = try telephone()
    #expect(try place.reasons().reasons == ["IMG_1.JPG": "rendered"])
    let text = String(decoding: try place.read("IMG_1.AAE"), as: UTF8.self)
    try place.folder.write(text.replacing("AAECAwQ=", with: "AAECAwU="), to: "photos/IMG_1.AAE")
    #expect(try place.reasons().reasons == ["IMG_1.JPG": "foreign-newer"])
    #expect(
      try place.reasons("recipe", "--on-foreign", "replace").reasons == ["IMG_1.JPG": "rendered"])
    #expect(try place.reasons().reasons == ["IMG_1.JPG": "up-to-date"])
  }

  @Test func aRunWithNewSettingsWarnsOfANewerEditByAnotherProgram() throws {
    let place = try Workplace()
    try place.recipe(variant: nil)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    try place.folder.write(Self.xmp("+0.50"), to: "photos/a.xmp")
    try place.recipe(variant: nil, stops: 0.7)
    let run = try place.run()
    #expect(run.code == 0)
    #expect(run.messages.contains("'a.xmp' is newer and was ignored; see --on-foreign"))
    #expect(try place.reasons().reasons == ["a.jpg": "foreign-newer"])
  }

  @Test func statusAndHistoryShowAnotherProgramsEditBeforeTheFirstRun() throws {
    let place = try telephone()
    let photo = place.path("photos/IMG_1.JPG")
    let before = try place.snapshot()
    let status = try Command.run(["status", place.library])
    #expect(status.code == 0)
    #expect(
      status.output.contains(
        "main[0] com.apple.photo 1.4, by another program (aae), not recorded by a run yet: IMG_E1.JPG"
      ))
    #expect(
      status.output.contains(
        "not revert (the edit is by another program, and no run has recorded it)"))
    let history = try Command.run(["history", photo, "--library", place.library]).output
    #expect(
      history.contains(
        "com.apple.photo 1.4, by another program (aae: IMG_1.AAE), not recorded by a run yet"))
    #expect(history.contains("current image: IMG_E1.JPG"))
    let json = try Command.run(["status", place.library, "--format", "json"]).output
    #expect(json.contains("\"found\""))
    #expect(try place.snapshot() == before)
  }

  /// An edit with an image takes precedence over an edit with settings only, regardless of their
  /// names.
  @Test func anEditWithAnImageTakesPrecedenceOverAnEditWithSettings() throws {
    let place = try telephone()
    try place.folder.write(Self.xmp("+0.50"), to: "photos/IMG_1.JPG.xmp")
    let run = try place.run()
    #expect(run.code == 0)
    #expect(run.messages.contains("'IMG_1.JPG.xmp' has no image, and the run renders without it"))
    let sidecar = try place.sidecar("IMG_1.JPG")
    #expect(sidecar.contains("camera-raw"))
    let alone = try telephone()
    _ = try alone.run()
    #expect(try place.read("IMG_1.web.jpg") == alone.read("IMG_1.web.jpg"))
    #expect(try place.reasons().reasons == ["IMG_1.JPG": "up-to-date"])
  }

  /// If the settings that Photos stored in an AAE file cannot be decoded, the image that Photos
  /// rendered is used instead.
  @Test(arguments: ["", "<plist>", "bplist00"])
  func anUnreadableAdjustmentIsReplacedByTheRenderedImage(_ text: String) throws {
    let place = try telephone()
    _ = try place.run()
    let expected = try place.read("IMG_1.web.jpg")
    let other = try telephone()
    try other.folder.write(text, to: "photos/IMG_1.AAE")
    let run = try other.run()
    #expect(run.code == 0)
    #expect(run.messages.contains("the settings in 'IMG_1.AAE' cannot be read"))
    #expect(try other.read("IMG_1.web.jpg") == expected)
  }

  @Test func anAdjustmentFileThatIsTooLargeFailsThePhoto() throws {
    let place = try telephone()
    try place.folder.write(
      [UInt8](repeating: 0x20, count: 2 << 20), to: "photos/IMG_1.AAE")
    let (reasons, code) = try place.reasons()
    #expect(reasons == ["IMG_1.JPG": "unreadable"])
    #expect(code == 3)
    #expect(try !place.names().contains("IMG_1.web.jpg"))
  }

  @Test func aRunWarnsIfAStackedEditStartsFromASmallImage() throws {
    let place = try Workplace()
    try place.recipe(
      "small", variant: nil,
      output: """
        "name": "small", "format": "jpeg", "filters": [ { "filter": "resize", "longEdge": 30 } ]
        """)
    #expect(try place.reasons("small").reasons == ["a.jpg": "rendered"])
    try place.recipe("top", variant: nil, output: #""name": "top", "format": "jpeg""#)
    let dry = try place.run("top", "--dry-run")
    #expect(dry.output.contains("stacked on 'a.small.jpg' of org.example.small 1.0.0"))
    let run = try place.run("top")
    #expect(
      run.messages.contains("starts from an image of only 30×20 pixels; the original has 60×40"))
  }

  @Test func aDryRunReportsCollisionsOfOutputPaths() throws {
    let place = try Workplace(["a.jpg", "a.png"])
    try place.recipe()
    #expect(try place.run().code == 3)
    let (reasons, _) = try place.reasons("recipe", "--dry-run")
    #expect(reasons == ["a.jpg": "collision", "a.png": "collision"])
    let other = try Workplace()
    try other.recipe("first", variant: nil)
    try other.recipe("second", variant: nil)
    #expect(try other.reasons("first").reasons == ["a.jpg": "rendered"])
    #expect(try other.reasons("second", "--dry-run").reasons == ["a.jpg": "collision"])
    let status = try Command.run(
      ["status", other.library, "--recipe", other.path("second.json")])
    #expect(status.output.contains("recipe: collision"))
    #expect(try other.reasons("second").reasons == ["a.jpg": "collision"])
  }

  /// Without a recipe, `status` knows that a variant starts from another program's image.
  @Test func aVariantThatStartsFromAnotherProgramsImageIsUpToDateWithoutARecipe() throws {
    let place = try telephone()
    try place.recipe(from: "current")
    #expect(try place.reasons().reasons == ["IMG_1.JPG": "rendered"])
    #expect(try place.sidecar("IMG_1.JPG").contains(#""file": "IMG_E1.JPG""#))
    let status = try Command.run(["status", place.library, "--why"]).output
    #expect(status.contains("plan: up-to-date") && !status.contains("plan: resume"), "\(status)")
  }
}
