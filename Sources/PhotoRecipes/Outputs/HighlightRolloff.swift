import Notation

/// The treatment of light that steps pushed above white.
public enum HighlightRolloff: String, Choice {
  /// Compresses highlights by a shoulder that keeps hues.
  case soft
  /// Clips each channel at white.
  case hard

  static let key = "highlights"
  static let member = "rolloff"

  /// The setting as JSON in a recipe or an output.
  var object: JSON {
    .object(JSON.Object([JSON.Object.Member(Self.member, .string(rawValue))]))
  }

  static var schema: JSON {
    .object([
      "type": .string("object"), "additionalProperties": .bool(false),
      "properties": .object([member: kind.schema]),
    ])
  }
}

extension ObjectReader {
  /// The member `highlights`; nil if it is missing or invalid.
  mutating func readHighlights() -> HighlightRolloff? {
    guard let field = field[HighlightRolloff.key],
      diagnostics.expectObject(field, "an object such as {\"rolloff\": \"hard\"}")
    else { return nil }
    var reader = ObjectReader(field, "object 'highlights'", &diagnostics)
    reader.rejectUnknown(known: [HighlightRolloff.member])
    let rolloff = reader.read(
      HighlightRolloff.member, as: HighlightRolloff.kind, HighlightRolloff.self)
    diagnostics = reader.diagnostics
    return rolloff
  }
}
