import Notation
import PhotoRecipes

/// The state of an edit at one moment: the recipe's text, and photos' own settings.
struct Moment: Sendable {
  var text: RecipeText
  /// The recipe that was parsed from the text.
  var document: RecipeDocument
  /// The recipe that a run uses for photos without own settings, with the values of `--set`.
  var recipe: Recipe
  /// The steps that the recipe takes from the recipe that it extends.
  var inherited: Set<StepName> = []
  /// Photos' own settings, by the photos' numbers: in the present state, those that are not saved;
  /// in a change, those of the photos that it changes.
  var own: [Int: JSON.Object] = [:]
}

/// The present state of an edit, and all changes since the studio was opened, for undo and redo.
struct EditHistory: Sendable {
  private struct Change: Sendable {
    let label: String
    let before: Moment
    let after: Moment
  }

  private(set) var now: Moment
  private var past: [Change] = []
  private var future: [Change] = []

  init(_ start: Moment) { now = start }

  /// The change that `undo` takes back; nil if there is none.
  var undoLabel: String? { past.last?.label }
  var redoLabel: String? { future.last?.label }

  /// Makes a change; both moments have the own settings of the photos that change, saved or not.
  ///
  /// If the recipe's variant changes, they have those of all photos that were changed before.
  mutating func add(from before: Moment, to after: Moment, _ label: String) {
    past.append(Change(label: label, before: before, after: after))
    future = []
    take(after)
  }

  /// Takes back the last change.
  ///
  /// - Returns: The state before the change; nil if there is none.
  mutating func undo() -> Moment? {
    guard let change = past.popLast() else { return nil }
    future.append(change)
    take(change.before)
    return change.before
  }

  /// Makes the change again that was taken back last.
  ///
  /// - Returns: The state after the change; nil if there is none.
  mutating func redo() -> Moment? {
    guard let change = future.popLast() else { return nil }
    past.append(change)
    take(change.after)
    return change.after
  }

  /// Replaces the present state by one of the same text, because a recipe that it extends has changed.
  mutating func replacePresent(_ moment: Moment) { take(moment) }

  private mutating func take(_ moment: Moment) {
    // Runs use another stack then; the moment has the own settings of all photos that were changed.
    if moment.recipe.variant != now.recipe.variant { now.own = [:] }
    (now.text, now.document, now.recipe) = (moment.text, moment.document, moment.recipe)
    now.inherited = moment.inherited
    for (photo, settings) in moment.own { now.own[photo] = settings }
  }

  /// Removes own settings that are equal to those in sidecars, `saved`, from the present state.
  mutating func settle(_ saved: [Int: JSON.Object]) {
    for (photo, settings) in saved where now.own[photo] == settings { now.own[photo] = nil }
  }
}
