public import Notation

/// A recipe made from another program's settings, and the outcome of each setting.
public struct ImportedRecipe: Sendable {
  public let identifier: String
  /// The name of the file from which the recipe was made.
  public let source: String
  /// The recipe's members besides its name, filters and outputs, such as `inputs`.
  public let members: JSON.Object
  public let filters: [JSON]
  /// The notes on the settings, in the order in which the settings were read.
  public let notes: [ImportNote]

  /// The text of the recipe as a file, with one line for each member and filter, and one full-size
  /// JPEG as output.
  public var text: String {
    let more = members.members.map { member in
      "\n  \(JSON.string(member.key).compactText): \(Self.line(member.value)),"
    }
    let lines = filters.map { "    " + Self.line($0) }
    let list = lines.isEmpty ? "[]" : "[\n\(lines.joined(separator: ",\n"))\n  ]"
    return """
      {
        "identifier": \(JSON.string(identifier).compactText),
        "version": "1.0.0",
        "title": \(JSON.string("Imported from \(source)").compactText),\(more.joined())
        "filters": \(list),
        "outputs": [
          { "name": "full", "format": "jpeg", "quality": 92, "current": true }
        ]
      }

      """
  }

  /// The recipe's members and filters, and the notes, as JSON for programs.
  public var json: JSON {
    var object = members
    object["identifier"] = .string(identifier)
    object["source"] = .string(source)
    object["filters"] = .array(filters)
    object["notes"] = .array(notes.map(\.json))
    return .object(object)
  }

  private static func line(_ value: JSON) -> String {
    guard let object = value.object else { return value.compactText }
    let texts = object.members.map { "\(JSON.string($0.key).compactText): \($0.value.compactText)" }
    return "{ \(texts.joined(separator: ", ")) }"
  }
}

/// The outcome of one setting of another program.
///
/// A setting that does not change the photo gets no note.
public struct ImportNote: Sendable, Hashable {
  public enum Fidelity: String, Sendable {
    /// The recipe has the same effect.
    case exact
    /// The recipe has a similar effect: the other program's formula differs or is not known.
    case approximated
    /// The recipe does not contain the setting.
    case dropped
  }

  /// The name of the setting in the other program's file.
  public let setting: String
  /// The value in the file, cut to a few characters.
  public let value: String
  public let fidelity: Fidelity
  /// The filter that has the effect of the setting; nil if there is none.
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
  /// The note on one line, with the control characters of the file escaped.
  public var description: String {
    let line =
      "\(fidelity.rawValue): \(setting) = \(value)\(filter.map { " → \($0)" } ?? ""): \(reason)"
    return line.unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
      default: String(scalar)
      }
    }.joined()
  }
}
