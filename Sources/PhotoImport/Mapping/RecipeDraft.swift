import Notation
import PhotoRecipes

/// A recipe that is being made from foreign settings.
struct RecipeDraft {
  private(set) var steps: [JSON] = []
  private(set) var notes: [ImportNote] = []

  /// Appends a filter whose values are held to their ranges and rounded to four decimals; one that
  /// changes nothing is left out.
  ///
  /// - Returns: What to add to a note, if a value was held to its range.
  @discardableResult
  mutating func add<F: Filter>(_: F.Type, _ set: (inout F) -> Void) -> String {
    var filter = F()
    set(&filter)
    let isHeld = filter.holdToRanges()
    if filter.isIdentity { return "" }
    var object = JSON.Object()
    object["filter"] = .string(F.name)
    let id = freeID(F.name)
    if id != F.name { object["id"] = .string(id) }
    for member in filter.sparse.members { object[member.key] = member.value }
    steps.append(.object(object))
    return isHeld ? "; held to the range of '\(F.name)'" : ""
  }

  /// Notes a setting that a filter does as the other program did.
  mutating func keep(_ setting: String, _ value: String, _ filter: String, _ reason: String) {
    note(setting, value, .exact, filter, reason)
  }

  mutating func approximate(
    _ setting: String, _ value: String, _ filter: String, _ reason: String
  ) {
    note(setting, value, .approximated, filter, reason)
  }

  mutating func drop(_ setting: String, _ value: String, _ reason: String) {
    note(setting, value, .dropped, nil, reason)
  }

  /// Notes what should have been a number or a switch, and is none.
  mutating func drop(unreadOf settings: ForeignSettings) {
    for (name, value) in settings.unread {
      drop(name, value, "neither a number nor a switch, as it should be")
    }
  }

  private mutating func note(
    _ setting: String, _ value: String, _ fidelity: ImportNote.Fidelity, _ filter: String?,
    _ reason: String
  ) {
    notes.append(
      ImportNote(
        setting: setting, value: String(value.prefix(60)), fidelity: fidelity, filter: filter,
        reason: reason))
  }

  /// `curves`, then `curves2`: an id names one step of a recipe.
  private func freeID(_ name: String) -> String {
    let taken = Set(steps.compactMap(\.stepID))
    if !taken.contains(name) { return name }
    var number = 2
    while taken.contains("\(name)\(number)") { number += 1 }
    return "\(name)\(number)"
  }
}

extension Filter {
  /// Holds numbers to their ranges and rounds them; returns whether one was out of its range.
  fileprivate mutating func holdToRanges() -> Bool {
    var isHeld = false
    for setting in Self.settings {
      guard let number = setting.json(self)?.number else { continue }
      let range: ClosedRange<Double>
      switch setting.kind {
      case .number(_, let bounds): range = bounds
      case .integer(_, let bounds):
        range = Double(bounds.lowerBound)...Double(bounds.upperBound)
      default: continue
      }
      let held = min(max(number, range.lowerBound), range.upperBound)
      isHeld = isHeld || held != number
      var diagnostics = Diagnostics()
      setting.read(Field(.number((held * 10_000).rounded() / 10_000)), &self, &diagnostics)
    }
    return isHeld
  }
}
