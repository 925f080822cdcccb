import Notation

/// The unsaved changes of an edit, which a draft keeps across a crash.
struct Draft: Sendable, Hashable {
  /// The text of the recipe's file when it was last read or written.
  var onDisk: [UInt8]
  /// The recipe's text as edited.
  var text: [UInt8]
  /// The own settings of the changed photos, by the photos' paths.
  var own: [String: JSON.Object]
  /// The time of the last change: ISO 8601, UTC.
  var date: String

  var changesRecipe: Bool { text != onDisk }
}

extension Draft {
  private static let format = 1

  var json: JSON {
    .object([
      "draft": .integer(Self.format), "date": .string(date),
      "onDisk": .string(String(decoding: onDisk, as: UTF8.self)),
      "text": .string(String(decoding: text, as: UTF8.self)),
      "own": .object(
        JSON.Object(
          own.sorted { $0.key < $1.key }.map { JSON.Object.Member($0.key, .object($0.value)) })),
    ])
  }

  /// Decodes a draft; nil if it is damaged, or of another format.
  init?(_ json: JSON) {
    guard json["draft"]?.integer == Self.format, let date = json["date"]?.string,
      let onDisk = json["onDisk"]?.string, let text = json["text"]?.string,
      let settings = json["own"]?.object
    else { return nil }
    (self.date, self.onDisk, self.text) = (date, Array(onDisk.utf8), Array(text.utf8))
    own = [:]
    for member in settings.members {
      guard let object = member.value.object else { return nil }
      own[member.key] = object
    }
  }
}
