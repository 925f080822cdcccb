import Notation
import SystemPackage

/// The unsaved changes of an edit, which a draft keeps across a crash.
///
/// The draft's file has lines of JSON. The first line has the recipe, and each later line a change,
/// so that a change is written without writing the others again.
struct Draft: Sendable, Hashable {
  /// The text of the recipe's file when it was last read or written.
  var onDisk: [UInt8]
  /// The recipe's text as edited.
  var text: [UInt8]
  /// The own settings of the changed photos, by the photos' paths.
  var own: [String: JSON.Object]
  /// The time of the last change: ISO 8601, UTC.
  var date: String
  /// The damaged lines of the file from which the draft was read; nil if there were none.
  var damage: Damage?

  var changesRecipe: Bool { text != onDisk }

  /// The damaged lines of a draft's file.
  struct Damage: Sendable, Hashable {
    /// The number of damaged lines.
    var lines = 0
    /// True if one of them has all changes until `start`.
    var includesStart = false
    /// The time at which the draft was written as a whole: ISO 8601, UTC.
    var start: String
    /// The path of a copy of the damaged file in the output root; nil before it is made.
    var copy: FilePath?
  }

  /// A change of the unsaved changes.
  struct Change: Sendable, Hashable {
    /// The recipe's new text; nil if it is the same.
    var text: [UInt8]?
    /// The own settings of photos, by the photos' paths; nil for a photo without unsaved settings.
    var own: [String: JSON.Object?]
    var date: String
  }
}

extension Draft {
  private static let format = 2
  private static let newline = UInt8(ascii: "\n")

  /// The content of a file with this draft.
  var bytes: [UInt8] {
    var head = JSON.Object()
    head["draft"] = .integer(Self.format)
    head["date"] = .string(date)
    head["onDisk"] = .string(String(decoding: onDisk, as: UTF8.self))
    let settings = Change(
      text: changesRecipe ? text : nil, own: own.mapValues { Optional($0) }, date: date)
    return JSON.object(head).compactBytes + [Self.newline] + settings.line
  }

  /// Decodes the content of a file; nil if its first line is damaged, or of another format.
  ///
  /// A crash can leave a part of a line at the end, which is ignored. Other damaged lines are
  /// counted. The lines behind them are read, because each has the whole text and all own settings
  /// of the photos that it names.
  init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: Self.newline, omittingEmptySubsequences: false)
    guard let first = lines.first, let head = Self.json(first),
      head["draft"]?.integer == Self.format, let date = head["date"]?.string,
      let onDisk = head["onDisk"]?.string
    else { return nil }
    let text = Array(onDisk.utf8)
    self.init(onDisk: text, text: text, own: [:], date: date)
    for (number, line) in lines.enumerated().dropFirst() {
      guard let change = Self.json(line).flatMap({ Change($0) }) else {
        if number == lines.count - 1 { break }
        var damage = damage ?? Damage(start: date)
        damage.lines += 1
        if number == 1 { damage.includesStart = true }
        self.damage = damage
        continue
      }
      if let text = change.text { self.text = text }
      for (path, settings) in change.own { own[path] = settings }
      self.date = change.date
    }
  }

  private static func json(_ line: ArraySlice<UInt8>) -> JSON? {
    let parsed = JSONParser.parse(SourceText(name: "draft", bytes: Array(line)))
    return parsed.diagnostics.isEmpty ? parsed.json : nil
  }
}

extension Draft.Change {
  /// The change as a line, with its end.
  var line: [UInt8] {
    var object = JSON.Object()
    object["date"] = .string(date)
    object["text"] = text.map { .string(String(decoding: $0, as: UTF8.self)) }
    object["own"] = .object(
      JSON.Object(
        own.sorted { $0.key < $1.key }.map { path, settings in
          JSON.Object.Member(path, settings.map(JSON.object) ?? .null)
        }))
    return JSON.object(object).compactBytes + [UInt8(ascii: "\n")]
  }

  /// Decodes a line; nil if it is damaged.
  fileprivate init?(_ json: JSON) {
    guard let date = json["date"]?.string, let settings = json["own"]?.object else { return nil }
    (self.date, own, text) = (date, [:], json["text"]?.string.map { Array($0.utf8) })
    for member in settings.members {
      guard member.value == .null || member.value.object != nil else { return nil }
      own.updateValue(member.value.object, forKey: member.key)
    }
  }
}
