import Notation
import PhotoRecipes

/// A recipe as JSON text for tests; the default text is valid.
struct RecipeText {
  var head = #""identifier": "org.example.test", "version": "1.0.0""#
  var filters = "[]"
  var outputs = #"[{ "name": "web", "format": "jpeg" }]"#
  /// Further members of the recipe's JSON object, each followed by a comma.
  var more = ""

  var text: String { "{ \(more)\(head), \"filters\": \(filters), \"outputs\": \(outputs) }" }

  func document() throws(InvalidDocument) -> RecipeDocument { try RecipeDocument(text) }

  func recipe(_ assignments: String...) throws -> Recipe {
    let assignments = try assignments.map { try Assignment(argument: $0) }
    return try document().recipe(assignments: assignments).recipe
  }
}

extension RecipeDocument {
  /// Reads the text as `recipe.json`; `files` contains the recipes that it extends.
  init(_ text: String, files: [String: String] = [:]) throws(InvalidDocument) {
    try self.init(SourceText(name: "recipe.json", text: text)) { file throws(Problem) in
      // Normalizes the path, because a file system accepts any spelling of a path.
      let plain = file.location.split(separator: "/").filter { $0 != "." }
      let name = plain.joined(separator: "/").replacing("base/../", with: "")
      guard let text = files[name] else { throw .missingFile(file.path) }
      return SourceText(name: file.location, text: text)
    }
  }
}

/// All diagnostics of a recipe's text, in order.
func diagnostics(_ text: String, files: [String: String] = [:], set: [String] = []) -> [Diagnostic]
{
  do throws(InvalidDocument) {
    var assignments: [Assignment] = []
    for argument in set { assignments.append(try Assignment(argument: argument)) }
    _ = try RecipeDocument(text, files: files).recipe(assignments: assignments)
    return []
  } catch {
    return error.diagnostics
  }
}

func diagnostics(_ recipe: RecipeText, set: String...) -> [Diagnostic] {
  diagnostics(recipe.text, set: set)
}
