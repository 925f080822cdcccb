import Notation
import PhotoRecipes

/// The settings of an adjustment as recorded, with the values that determine the paths of its
/// renditions.
final class RecordedRecipe: Sendable {
  /// The record of the recipe; see `Recipe.record`.
  let json: JSON
  private let outputs: [Output]

  /// The part of an output that determines its path.
  private struct Output: Sendable {
    let name: String
    /// The template and the extension of the output; nil if the recorded template or format is
    /// invalid.
    let place: Place?
  }

  struct Place: Sendable {
    let template: PathTemplate
    /// The extension of the output's format, without a dot.
    let fileExtension: String
  }

  init(_ json: JSON) {
    self.json = json
    outputs = (json["outputs"]?.array ?? []).compactMap { output in
      output["name"]?.string.map { Output(name: $0, place: Place(output)) }
    }
  }

  /// The template and the extension of an output's renditions; nil if there is no such output or
  /// they are invalid.
  func place(of output: String) -> Place? { outputs.first { $0.name == output }?.place }
}

extension RecordedRecipe.Place {
  fileprivate init?(_ output: JSON) {
    guard let format = output["format"]?.string.flatMap(FormatCatalog.format(named:)),
      let template = try? PathTemplate(output["path"]?.string ?? PathTemplate.standard)
    else { return nil }
    self.template = template
    fileExtension = format.fileExtension
  }
}

extension RecordedRecipe: Hashable {
  static func == (a: RecordedRecipe, b: RecordedRecipe) -> Bool { a === b || a.json == b.json }
  func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
