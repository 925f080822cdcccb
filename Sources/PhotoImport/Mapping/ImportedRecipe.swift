public import Notation

/// A recipe made from another program's settings, and what became of each of them.
public struct ImportedRecipe: Sendable {
  public let identifier: String
  /// The file that it was made from.
  public let source: String
  public let filters: [JSON]
  /// In the order in which the settings were read.
  public let notes: [ImportNote]

  /// The recipe as a file: one line a filter, and one JPEG of full size.
  public var text: String {
    let lines = filters.map { "    " + Self.line($0) }
    let list = lines.isEmpty ? "[]" : "[\n\(lines.joined(separator: ",\n"))\n  ]"
    return """
      {
        "identifier": \(JSON.string(identifier).compactText),
        "version": "1.0.0",
        "title": \(JSON.string("Imported from \(source)").compactText),
        "filters": \(list),
        "outputs": [
          { "name": "full", "format": "jpeg", "quality": 92, "current": true }
        ]
      }

      """
  }

  /// The recipe's filters and the notes, for programs.
  public var json: JSON {
    .object([
      "identifier": .string(identifier), "source": .string(source), "filters": .array(filters),
      "notes": .array(notes.map(\.json)),
    ])
  }

  private static func line(_ filter: JSON) -> String {
    let members = filter.object?.members ?? []
    let texts = members.map { "\(JSON.string($0.key).compactText): \($0.value.compactText)" }
    return "{ \(texts.joined(separator: ", ")) }"
  }
}

/// The outcome of one setting of another program that would change a photo.
public struct ImportNote: Sendable, Hashable {
  public enum Fidelity: String, Sendable {
    /// The recipe does the same.
    case exact
    /// The recipe does something alike: the other program's formula is another, or not known.
    case approximated
    /// The recipe does nothing of it.
    case dropped
  }

  /// The name in the foreign file.
  public let setting: String
  /// As the file has it, cut to a few characters.
  public let value: String
  public let fidelity: Fidelity
  /// The filter that does it; nil if none does.
  public let filter: String?
  public let reason: String

  public var json: JSON {
    var object = JSON.Object()
    object["setting"] = .string(setting)
    object["value"] = .string(value)
    object["fidelity"] = .string(fidelity.rawValue)
    object["filter"] = filter.map(JSON.string)
    object["reason"] = .string(reason)
    return .object(object)
  }
}

extension ImportNote: CustomStringConvertible {
  public var description: String {
    "\(fidelity.rawValue): \(setting) = \(value)\(filter.map { " → \($0)" } ?? ""): \(reason)"
  }
}
