import Notation
import PhotoRecipes

extension FuzzTarget {
  /// A recipe's JSON, with everything that is checked before a library is looked at.
  static let recipe = FuzzTarget("recipe") { bytes in
    do throws(InvalidDocument) {
      let document = try RecipeDocument(SourceText(name: "recipe.json", bytes: bytes)) {
        file throws(Problem) in throw .missingFile(file.path)
      }
      _ = try document.recipe().recipe.graph
    } catch {
      // An error is shown with its line, whatever bytes the line has.
      _ = error.message
    }
  }
}
