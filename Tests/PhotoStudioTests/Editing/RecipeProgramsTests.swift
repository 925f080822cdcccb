import Notation
import PhotoRecipes
import Testing

@testable import PhotoStudio

/// The page can neither run programs nor read files that the recipe does not name.
@Suite struct RecipeProgramsTests {
  private static func recipe(_ filters: String) throws -> Recipe {
    let text = """
      {"identifier": "org.example.web", "version": "1.0.0", "filters": [\(filters)],
       "outputs": [{"name": "web", "format": "jpeg"}]}
      """
    return try RecipeDocument(SourceText(name: "recipe", text: text)) {
      _ throws(Problem) in throw .missingFile("")
    }.recipe().recipe
  }

  private static let program = #"{"filter": "external", "command": ["cat"]}"#
  private static let file = #"{"filter": "lut", "file": "look.cube"}"#

  @Test func otherSettingsMayChange() throws {
    let old = try Self.recipe(Self.program + "," + Self.file)
    let new = try Self.recipe(Self.program + "," + Self.file + #", {"filter": "sepia"}"#)
    try new.checkPrograms(areThoseOf: old)
    try Self.recipe(Self.program).checkPrograms(areThoseOf: old)
  }

  @Test(arguments: [
    #"{"filter": "external", "command": ["rm", "-r"]}"#,
    #"{"filter": "external", "command": ["cat"]}, {"filter": "lut", "file": "secret"}"#,
  ])
  func otherProgramsAndFilesAreRefused(_ filters: String) throws {
    let old = try Self.recipe(Self.program)
    let new = try Self.recipe(filters)
    #expect(throws: Refusal.self) { try new.checkPrograms(areThoseOf: old) }
  }
}
