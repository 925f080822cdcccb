import Notation
import PhotoLibrary
import PhotoRecipes

extension RecipeDocument {
  /// Creates the document of the recipe that an adjustment records.
  init(recorded adjustment: Adjustment) throws(InvalidDocument) {
    let members = adjustment.recipe.object?.members ?? []
    var object = JSON.Object(members.filter { Recipe.recordKeys.contains($0.key) })
    object["identifier"] = .string(adjustment.formatIdentifier)
    object["version"] = .string(adjustment.formatVersion)
    let text = SourceText(name: Self.recordName, text: JSON.object(object).canonicalText)
    try self.init(text) { file throws(Problem) in throw .missingFile(file.path) }
  }

  /// The name of the text of a recorded recipe, which is in no file in this form.
  fileprivate static let recordName = "the sidecar's recipe"
}

extension InvalidDocument {
  /// The flaws of a recorded recipe as one sentence, without the hints for people who write recipes.
  var recordedFlaws: String {
    diagnostics.map { "\($0.problem.message), at \($0.path)" }.joined(separator: "; ")
  }

  /// True if a name is unknown, which another recipe may have.
  var hasUnknownName: Bool {
    diagnostics.contains { diagnostic in
      if case .unknownName = diagnostic.problem { true } else { false }
    }
  }

  /// The error without the lines of a recorded recipe, which the user cannot see.
  var withoutRecordedLines: InvalidDocument {
    InvalidDocument(
      diagnostics: diagnostics.map { diagnostic in
        var diagnostic = diagnostic
        if diagnostic.location?.source.name == RecipeDocument.recordName {
          diagnostic.location = nil
        }
        return diagnostic
      })
  }
}
