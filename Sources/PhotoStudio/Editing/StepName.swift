import Notation
import PhotoRecipes

/// The name of a step in a recipe.
///
/// Steps of different outputs may have the same id.
package struct StepName: Sendable, Hashable {
  package let id: String
  /// The name of the step's output; nil for a step that all outputs share.
  package let output: String?

  package init(_ id: String, output: String? = nil) { (self.id, self.output) = (id, output) }

  /// The name in the page: the id, for a step of an output after the output's name and a slash.
  package var key: String { output.map { "\($0)/\(id)" } ?? id }
}

extension RecipeDocument {
  /// The names of all steps, in order.
  var stepNames: [StepName] {
    let outputs = (tree["outputs"]?.array ?? []).map { ($0["name"]?.string, $0) }
    return ([(nil, tree)] + outputs).flatMap { output, owner in
      (owner["filters"]?.array ?? []).compactMap(\.stepID).map { StepName($0, output: output) }
    }
  }
}
