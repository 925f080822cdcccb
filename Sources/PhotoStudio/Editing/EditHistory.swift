import Notation
import PhotoRecipes

/// The state of an edit at one moment: the recipe's text, and photos' own settings.
struct Moment: Sendable {
  var text: RecipeText
  /// The recipe that was parsed from the text.
  var document: RecipeDocument
  /// The steps that the recipe takes from the recipe that it extends.
  var inherited: Set<StepName> = []
  /// The photos' own settings, only for photos whose settings were changed, by the photos' numbers.
  var own: [Int: JSON.Object] = [:]
}

/// All states of an edit since the studio was opened, for undo and redo.
struct EditHistory: Sendable {
  private(set) var now: Moment
  private var past: [(label: String, moment: Moment)] = []
  private var future: [(label: String, moment: Moment)] = []

  init(_ start: Moment) { now = start }

  /// The change that `undo` takes back; nil if there is none.
  var undoLabel: String? { past.last?.label }
  var redoLabel: String? { future.last?.label }

  mutating func add(_ moment: Moment, _ label: String) {
    past.append((label, now))
    now = moment
    future = []
  }

  /// Removes these own settings from the present state, in which photos without an entry have the
  /// settings of their sidecars.
  mutating func forget(_ own: [Int: JSON.Object]) {
    for (photo, settings) in own where now.own[photo] == settings { now.own[photo] = nil }
  }

  mutating func undo() {
    guard let (label, moment) = past.popLast() else { return }
    future.append((label, now))
    now = moment
  }

  mutating func redo() {
    guard let (label, moment) = future.popLast() else { return }
    past.append((label, now))
    now = moment
  }
}
