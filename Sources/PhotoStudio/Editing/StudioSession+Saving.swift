import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage

extension StudioSession {
  /// Saves the recipe and the photos' own settings.
  ///
  /// The recipe is saved first. Changes that cannot be saved stay in the edit, so that they are not
  /// lost.
  ///
  /// - Returns: True if the recipe was written, and the number of photos whose settings were saved.
  func save() throws -> (recipe: Bool, photos: Int) {
    try saving.withLock { _ in
      try checkOpen()
      defer { keepDraft() }
      return try saveNow()
    }
  }

  private func saveNow() throws -> (recipe: Bool, photos: Int) {
    try checkMayWrite("nothing can be saved")
    let (now, onDisk) = state.withLock { ($0.history.now, $0.onDisk) }
    let changesRecipe = now.text.bytes != onDisk
    if changesRecipe {
      let file = try RecipeFile(options.recipe)
      let found = try file.read()
      guard found == onDisk || found == now.text.bytes else {
        throw Refusal(
          412, "'\(options.recipe.string)' was changed by another program since it was opened",
          hint: "save that version under another name, or undo your change of the recipe here")
      }
      if found != now.text.bytes { try file.replace(now.text.bytes) }
      change { state in
        state.onDisk = now.text.bytes
        state.undrafted.isWhole = true
      }
    }
    if !now.own.isEmpty {
      // Settings of photos that failed stay unsaved in the edit; those of others are saved.
      defer { try? reload(only: now.own.keys.sorted()) }
      try saveOwn(now)
    } else if changesRecipe {
      try reload(only: [])
    }
    return (changesRecipe, now.own.count)
  }

  /// The folder by which commands find the library's edits: the library, or that of `--output`.
  ///
  /// Its state folder is created if it is missing.
  func editedFolder() throws -> FilePath {
    let root = library.outputRoot
    try root.prepare()
    return root.files.path
  }

  /// Saves photos' own settings in the stack that a run uses, as one step of `phbatch undo`.
  private func saveOwn(_ moment: Moment) throws {
    let place = try editedFolder()
    let saved = library.own(moment.own.keys, for: moment.recipe)
    var changes: [FilePath: AdjustmentChange] = [:]
    for (photo, own) in moment.own {
      let change = OwnChange(from: saved[photo] ?? JSON.Object(), to: own)
      var adjustment = AdjustmentChange()
      adjustment.assignments = change.set.assignments
      adjustment.unset = change.unset
      adjustment.document = moment.document
      adjustment.runAssignments = options.batch.assignments
      adjustment.variant = moment.recipe.variant
      changes[library.path(photo)] = adjustment
    }
    let (finished, editor) = (changes, LibraryEditor(options.batch))
    let result = Mutex((missing: Set(changes.keys), failures: Failures()))
    _ = try waiting {
      try await editor.adjust(finished, library: place) { event in
        guard case .finished(let outcome) = event else { return }
        result.withLock { result in
          result.missing.remove(outcome.path)
          if outcome.reason.outcome != .fine { result.failures.add(outcome) }
        }
      }
    }
    let found = result.withLock { $0 }
    var failures = found.failures
    for path in found.missing.sorted(by: { $0.string < $1.string }) {
      failures.add("\(path.string): the photo no longer exists in the library")
    }
    if failures.count > 0 {
      let rest = failures.count - failures.lines.count
      let others = rest == 1 ? "1 other photo" : "\(rest) other photos"
      let lines = failures.lines + (rest > 0 ? ["and \(others)"] : [])
      throw Refusal(
        409, lines.joined(separator: "\n"),
        hint: failures.count == 1
          ? "the settings of this photo stay unsaved in the edit"
          : "the settings of these photos stay unsaved in the edit")
    }
  }
}

/// The difference between a photo's own settings before and after an edit.
private struct OwnChange {
  var set = JSON.Object()
  var unset: [String]

  init(from old: JSON.Object, to new: JSON.Object) {
    for member in new.members where old[member.key] != member.value { set.append(member) }
    unset = old.keys.filter { new[$0] == nil }
  }
}
