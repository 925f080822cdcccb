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
    let source = SourceText(name: "recipe", text: recipe)
    let parsed = try RecipeDocument(source) { file throws(Problem) in
      throw .missingFile(file.path)
    }.recipe().recipe
    let older = parsed.fingerprint(files: [:], revisions: [name: 1]).compactText
    try record("\(Digest(of: older.utf8))")
    #expect(try dryRun()[1] == "  web: this version of phbatch renders '\(name)' differently")
    #expect(try Command.run(run + ["--check"]).code == 2)
  }
}
