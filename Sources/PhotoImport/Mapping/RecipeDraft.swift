import Glibc
import Notation
import PhotoRecipes

/// A recipe under construction from another program's settings.
struct RecipeDraft {
  /// The reason to drop the tones that another program gives each raw photo.
  static let look = "the look of raw photos takes its place: \"inputs\": {\"raw\": {\"look\": …}}"

  /// The recipe's members besides its name, filters and outputs.
  private(set) var members = JSON.Object()
  private(set) var steps: [JSON] = []
  private(set) var notes: [ImportNote] = []

  /// Selects the raw file of a raw file and a JPEG with the same name, because the settings are
  /// those of the raw file.
  mutating func selectRaw() { members["inputs"] = .object(["rawAndJPEG": .string("raw")]) }

  /// Clips light above white, as programs without a shoulder for highlights do.
  mutating func clipHighlights() { members["highlights"] = .object(["rolloff": .string("hard")]) }

  /// Makes the recipe a variant, which starts from the original and not from the edited image that
  /// the other program left beside it.
  mutating func startFromOriginal() { members["variant"] = .string("imported") }

  /// Appends a filter, limited to a mask if there is one, with its values clamped to their ranges
  /// and rounded to `decimals` decimals.
  ///
  /// A filter without effect is not appended.
  ///
  /// - Returns: A text to append to a note if a value was clamped; otherwise an empty text.
  @discardableResult
  mutating func add<F: Filter>(
    _: F.Type, decimals: Int = 4, mask: Mask? = nil, _ set: (inout F) -> Void
  ) -> String {
    var filter = F()
    set(&filter)
    let isHeld = filter.holdToRanges(decimals)
    if filter.isIdentity { return "" }
    var object = JSON.Object()
    object["filter"] = .string(F.name)
    let id = freeID(F.name)
    if id != F.name { object["id"] = .string(id) }
    for member in filter.sparse.members { object[member.key] = member.value }
    if let mask { object["mask"] = mask.json }
    steps.append(.object(object))
    return isHeld ? "; limited to the range of '\(F.name)'" : ""
  }

  /// Appends the flip and the rotation from the picture that is upright by the orientation `own` to
  /// the picture that is upright by `shown`.
  ///
  /// - Returns: The name of the last filter; nil if both pictures are the same.
  mutating func turn(from own: Orientation, to shown: Orientation) -> String? {
    let turn = own.turn(to: shown)
    if turn.flip { add(Flip.self) { $0.direction = .horizontal } }
    add(Rotate.self) { $0.angle = 90 * turn.quarterTurns }
    return turn.quarterTurns != 0 ? Rotate.name : turn.flip ? Flip.name : nil
  }

  /// Adds a note that a filter has the same effect as a setting of the other program.
  ///
  /// The effect is only approximated if there are `differences`, such as the text that `add`
  /// returns for a clamped value.
  mutating func keep(
    _ setting: String, _ value: String, _ filter: String, _ reason: String,
    except differences: String
  ) {
    let fidelity: ImportNote.Fidelity = differences.isEmpty ? .exact : .approximated
    note(setting, value, fidelity, filter, reason + differences)
  }

  mutating func approximate(
    _ setting: String, _ value: String, _ filter: String, _ reason: String
  ) {
    note(setting, value, .approximated, filter, reason)
  }

  mutating func drop(_ setting: String, _ value: String, _ reason: String) {
    note(setting, value, .dropped, nil, reason)
  }

  /// Adds a note for each setting with a value that could not be read as the expected number or
  /// switch.
  mutating func drop(unreadOf settings: ForeignSettings) {
    for (name, value) in settings.unread {
      drop(name, value, "the value must be a number or a switch")
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

  /// An unused id for a step: `curves`, then `curves2`.
  ///
  /// Ids must be unique in a recipe.
  private func freeID(_ name: String) -> String {
    let taken = Set(steps.compactMap(\.stepID))
    if !taken.contains(name) { return name }
    var number = 2
    while taken.contains("\(name)\(number)") { number += 1 }
    return "\(name)\(number)"
  }
}

extension Filter {
  /// Clamps numbers to their ranges and rounds them; returns true if one was out of its range.
  fileprivate mutating func holdToRanges(_ decimals: Int) -> Bool {
    let scale = pow(10, Double(decimals))
    var isHeld = false
    for setting in Self.settings {
      guard let number = setting.json(self)?.number else { continue }
      let range: ClosedRange<Double>
      switch setting.kind {
      case .number(_, let bounds), .extent(let bounds): range = bounds
      case .integer(_, let bounds):
        range = Double(bounds.lowerBound)...Double(bounds.upperBound)
      default: continue
      }
      let held = min(max(number, range.lowerBound), range.upperBound)
      isHeld = isHeld || held != number
      var diagnostics = Diagnostics()
      setting.read(Field(.number((held * scale).rounded() / scale)), &self, &diagnostics)
    }
    return isHeld
  }
}
