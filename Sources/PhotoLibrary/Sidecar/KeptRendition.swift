import Notation
import PhotoRecipes
public import SystemPackage

/// A rendition that a user changed and that no adjustment produces any more.
///
/// Its file stays, and the record marks it as a rendition, so that no run treats it as another
/// photo.
public struct KeptRendition: Sendable, Hashable {
  public var formatIdentifier: String
  /// The name of the stack that it was in; nil for the main stack.
  public var variant: String?
  /// The rendition as phbatch wrote it.
  public var rendition: RenditionRecord
  /// The recipe from which the path is derived.
  private let record: RecordedRecipe
  private var others = JSON.Object()

  public init(_ rendition: RenditionRecord, of adjustment: Adjustment) {
    formatIdentifier = adjustment.formatIdentifier
    variant = adjustment.variant
    self.rendition = rendition
    let output = adjustment.recipe["outputs"]?.array?.first {
      $0["name"]?.string == rendition.output
    }
    let paths = ["format", "name", "path"].compactMap { key in
      output?[key].map { JSON.Object.Member(key, $0) }
    }
    record = RecordedRecipe(.object(["outputs": .array([.object(JSON.Object(paths))])]))
  }

  /// The adjustment that made the rendition, with only the values that determine the file's path.
  public var adjustment: Adjustment {
    var adjustment = Adjustment(
      formatIdentifier: formatIdentifier, formatVersion: "", variant: variant, base: .original,
      date: "", overrides: JSON.Object(), recipe: .object(JSON.Object()), renditions: [rendition],
      settings: "", engine: .object(JSON.Object()))
    adjustment.record = record
    return adjustment
  }

  /// The path of the file; nil if it differs from the path that the recorded template gives.
  ///
  /// See `Adjustment.path`.
  public func path(of original: FilePath, _ record: OriginalRecord) -> FilePath? {
    adjustment.path(of: rendition, original: original, record)
  }
}

extension KeptRendition {
  init(_ node: JSONNode?, _ diagnostics: inout Diagnostics) {
    var reader = RecordReader(node, &diagnostics)
    formatIdentifier = reader.text("formatIdentifier") ?? ""
    variant = reader.optional("variant", "a text") { $0.string }
    record = RecordedRecipe(reader.object("recipe")?.json ?? .object(JSON.Object()))
    rendition = RenditionRecord(reader.object("rendition"), &reader.diagnostics)
    others = reader.others(than: ["formatIdentifier", "recipe", "rendition", "variant"])
    diagnostics = reader.diagnostics
  }

  var json: JSON {
    var object = others
    object["formatIdentifier"] = .string(formatIdentifier)
    object["variant"] = variant.map(JSON.string)
    object["recipe"] = record.json
    object["rendition"] = rendition.json
    return .object(object)
  }
}
