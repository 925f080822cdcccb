import Foundation
import Notation
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@testable import PhotoRecipes

/// Renditions that are stale because this version of phbatch renders a filter or a setting of an
/// output differently.
@Suite struct RevisedFilterTests {
  private let folder: TemporaryFolder
  private let recipe = """
    {
      "identifier": "org.example.revised", "version": "1.0.0",
      "filters": [
        { "filter": "contrast", "amount": 0.2 }, { "filter": "highlights", "amount": 0.2 },
        { "filter": "hue", "angle": 5 }
      ],
      "outputs": [ { "name": "web", "format": "png", "gamut": "perceptual" } ]
    }
    """

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(SyntheticPhoto.jpeg(width: 8, height: 8), to: "photos/a.jpg")
    try folder.write(recipe, to: "recipe.json")
  }

  /// The lines of a dry run for the photo.
  private func dryRun() throws -> [String] {
    try Command.run([
      "run", folder["recipe.json"].string, folder["photos"].string, "--dry-run",
    ]).lines
  }

  /// Replaces the settings digest that the sidecar records.
  private func record(_ settings: String) throws {
    let name = "photos/a.jpg.phbatch.json"
    let text = String(decoding: try folder.read(name), as: UTF8.self)
    let change = text.replacing(/"settings": "[0-9a-f]{64}"/, with: "\"settings\": \"\(settings)\"")
    try folder.write(change, to: name)
  }

  /// The settings digest of the recipe with these revisions.
  private func digest(_ revisions: [String: Int] = [:]) throws -> String {
    let source = SourceText(name: "recipe", text: recipe)
    let parsed = try RecipeDocument(source) { file throws(Problem) in
      throw .missingFile(file.path)
    }.recipe().recipe
    return "\(Digest(of: parsed.fingerprint(files: [:], revisions: revisions).compactText.utf8))"
  }

  /// A run names the filter or the setting that this version renders differently.
  ///
  /// The settings digest contains the revision of each of them, so it can be found although the
  /// sidecar does not record revisions.
  @Test(arguments: ["contrast", "gamut", "highlights"])
  func aDryRunNamesWhatThisVersionRendersDifferently(
    _ name: String
  ) throws {
    let run = ["run", folder["recipe.json"].string, folder["photos"].string]
    #expect(try Command.run(run).code == 0)
    try record(digest([name: 1]))
    #expect(try dryRun()[1] == "  web: this version of phbatch renders '\(name)' differently")
    #expect(try Command.run(run + ["--check"]).code == 2)
  }

  /// Several names are found, too, if each has the preceding revision.
  @Test func aDryRunNamesAllThatThisVersionRendersDifferently() throws {
    #expect(
      try Command.run(["run", folder["recipe.json"].string, folder["photos"].string]).code == 0)
    let older = ["gamut": GamutMapping.revision - 1, "highlights": Highlights.revision - 1]
    try record(digest(older))
    #expect(
      try dryRun()[1]
        == "  web: this version of phbatch renders one of these differently: gamut, highlights")
  }

  /// A photo that the user has reverted stays reverted in a new version.
  @Test func aRevertOutlastsANewRevision() throws {
    let run = ["run", folder["recipe.json"].string, folder["photos"].string]
    #expect(try Command.run(run).code == 0)
    #expect(try Command.run(["revert", folder["photos/a.jpg"].string]).code == 0)
    try record(digest(["highlights": Highlights.revision - 1]))
    #expect(try Command.run(run + ["--check"]).code == 0)
  }

  /// A file that an older revision rendered cannot be rendered again, so it is kept.
  @Test func undoBringsBackTheFileOfAnOlderRevision() throws {
    let run = ["run", folder["recipe.json"].string, folder["photos"].string]
    #expect(try Command.run(run).code == 0)
    let (name, record) = ("photos/a.web.png", "photos/a.jpg.phbatch.json")
    let made = try folder.read(name)
    let older = try SyntheticPhoto.png(width: 6, height: 6)
    try folder.write(older, to: name)
    let text = String(decoding: try folder.read(record), as: UTF8.self)
      .replacing("\(Digest(of: made))", with: "\(Digest(of: older))")
      .replacing("\"bytes\": \(made.count),", with: "\"bytes\": \(older.count),")
    try folder.write(text, to: record)
    try self.record(digest(["highlights": Highlights.revision - 1]))
    let sidecar = try folder.read(record)
    #expect(try Command.run(run).code == 0)
    #expect(try folder.read(name) == made)
    #expect(try Command.run(["undo", folder["photos"].string]).code == 0)
    #expect(try folder.read(name) == older)
    #expect(try folder.read(record) == sidecar)
  }
}
