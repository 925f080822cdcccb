import Notation
import PhotoRecipes

/// The settings of an adjustment as it records them, with what the paths of its renditions are made
/// of.
final class RecordedRecipe: Sendable {
  /// See `Recipe.record`.
  let json: JSON
  private let outputs: [Output]

  /// An output as far as its path goes.
  private struct Output: Sendable {
    let name: String
    /// Nil for a template or a format that is none.
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

  /// Where the renditions of an output go; nil if there is no such output.
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
