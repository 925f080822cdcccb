import Notation
import PhotoRecipes

extension FuzzTarget {
  /// A recipe's JSON, with all checks that need no library.
  static let recipe = FuzzTarget("recipe") { bytes in
    do throws(InvalidDocument) {
      let document = try RecipeDocument(SourceText(name: "recipe.json", bytes: bytes)) {
        file throws(Problem) in throw .missingFile(file.path)
      }
      _ = try document.recipe().recipe.graph
    } catch {
      // The message shows the line of the error, which may contain any bytes.
      _ = error.message
    }
  }
}
