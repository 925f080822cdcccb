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
  func save() throws -> Saved {
    try saving.withLock { _ in
      try checkOpen()
      defer { keepDraft() }
      return try saveNow()
    }
  }

  /// The result of a save.
  struct Saved: Sendable {
    /// True if the recipe was written.
    var recipe: Bool
    /// The number of photos whose settings were saved.
    var photos = 0
    /// The unsaved own settings that were removed from the edit because the recipe no longer uses
    /// them, each with its number of photos.
    var dropped: [String: Int] = [:]
  }

  private func saveNow() throws -> Saved {
    try checkMayWrite("nothing can be saved")
    let stored = takeStored()
    let (now, onDisk) = state.withLock { ($0.history.now, $0.onDisk) }
    let changesRecipe = now.text.bytes != onDisk
    if changesRecipe {
      let file = try RecipeFile(options.recipe)
      let found = try file.read()
      guard found == onDisk || found == now.text.bytes else {
        throw Refusal(changed: options.recipe, onDisk: found, mine: now.text)
      }
      if found != now.text.bytes { try file.replace(now.text.bytes) }
      change { state in
        state.onDisk = now.text.bytes
        state.undrafted.isWhole = true
      }
    }
    var saved = Saved(recipe: changesRecipe)
    if !now.own.isEmpty {
      // Settings of photos that failed stay unsaved in the edit; those of others are saved.
      let result = Result { try saveOwn(now, stored) }
      do { try reload(only: now.own.keys.sorted()) } catch {
        throw Refusal(notRead: error, after: result)
      }
      do { saved.photos = try result.get() } catch {
        throw changesRecipe ? OwnNotSaved(reason: error) : error
      }
      change { $0.replaceable = [:] }
      saved.dropped = dropUseless()
    } else if changesRecipe {
      try reload(only: [])
    }
    return saved
  }

  /// Removes unsaved own settings that the recipe no longer uses from the edit; undo brings them
  /// back.
  ///
  /// They could not be saved, and the page no longer shows them.
  ///
  /// - Returns: The removed settings, each with its number of photos.
  private func dropUseless() -> [String: Int] {
    changing.withLock { _ in
      let now = now
      let saved = library.own(now.own.keys, for: now.recipe)
      let useless = uselessKeys(of: now, saved)
      if useless.isEmpty { return [:] }
      var (before, after) = (now, now)
      (before.own, after.own) = ([:], [:])
      var dropped: [String: Int] = [:]
      for (photo, own) in now.own {
        let old = saved[photo] ?? JSON.Object()
        var rest = own
        for key in own.keys where useless.contains(key) && own[key] != old[key] {
          rest[key] = old[key]
          dropped[key, default: 0] += 1
        }
        if rest != own { (before.own[photo], after.own[photo]) = (own, rest) }
      }
      let (old, new) = (before, after)
      change { state in
        state.history.add(from: old, to: new, "Settings without use")
        state.settle(new, since: old, library)
      }
      return dropped
    }
  }

  /// The keys of unsaved own settings that have no effect with the recipe: their step or parameter
  /// was removed, or no step and no output uses the parameter.
  private func uselessKeys(of moment: Moment, _ saved: [Int: JSON.Object]) -> Set<String> {
    var (known, useless): (Set<String>, Set<String>) = ([], [])
    for (photo, own) in moment.own {
      for member in own.members
      where member.value != saved[photo]?[member.key] && known.insert(member.key).inserted {
        // A setting that is invalid stays, and saving it names the reason.
        let unused = try? moment.document.unused(
          JSON.Object([member]), options.batch.assignments)
        if unused?.isEmpty == false || moment.document.hasUselessParameter(member.key) {
          useless.insert(member.key)
        }
      }
    }
    return useless
  }

  /// The folder by which commands find the library's edits: the library, or that of `--output`.
  ///
  /// Its state folder is created if it is missing.
  func editedFolder() throws -> FilePath {
    let root = library.outputRoot
    try root.prepare()
    return root.files.path
  }

  /// Saves photos' own settings in the stack that a run uses, as one step of `phbatch undo`;
  /// settings that the recipe no longer uses are left out.
  ///
  /// - Returns: The number of photos whose settings were saved.
  private func saveOwn(_ moment: Moment, _ stored: [Int: JSON.Object]) throws -> Int {
    let saved = library.own(moment.own.keys, for: moment.recipe)
    try checkStored(stored, moment, saved)
    let useless = uselessKeys(of: moment, saved)
    var changes: [FilePath: (set: [Assignment], unset: [String])] = [:]
    for (photo, own) in moment.own {
      let change = OwnChange(from: saved[photo] ?? JSON.Object(), to: own, without: useless)
      if change.isEmpty { continue }
      changes[library.path(photo)] = (change.set.assignments, change.unset)
    }
    if changes.isEmpty { return 0 }
    let place = try editedFolder()
    var shared = AdjustmentChange()
    shared.document = moment.document
    shared.runAssignments = options.batch.assignments
    shared.recipe = moment.recipe
    shared.variant = moment.recipe.variant
    let (finished, change, editor) = (changes, shared, LibraryEditor(options.batch))
    let result = Mutex((missing: Set(changes.keys), failures: ListedProblems()))
    _ = try waiting {
      try await editor.adjust(finished, as: change, library: place) { event in
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
      throw Refusal(
        409, failures.text,
        hint: failures.count == 1
          ? "the settings of this photo stay unsaved in the edit"
          : "the settings of these photos stay unsaved in the edit")
    }
    return changes.count
  }

  /// Adds the settings to the edit that other programs have changed since they were read, of photos with
  /// unsaved settings; settings that the edit changes, too, stay as they are.
  ///
  /// - Returns: The settings in the sidecars of these photos.
  private func takeStored() -> [Int: JSON.Object] {
    changing.withLock { _ in
      let now = now
      let known = library.own(now.own.keys, for: now.recipe)
      let stored = library.storedOwn(now.own.keys, for: now.recipe)
      var (before, after) = (now, now)
      (before.own, after.own) = ([:], [:])
      for (photo, own) in now.own {
        let (old, found) = (known[photo] ?? JSON.Object(), stored[photo] ?? JSON.Object())
        var all = own
        for key in Set(old.keys + found.keys) where found[key] != old[key] && own[key] == old[key] {
          all[key] = found[key]
        }
        if all != own { (before.own[photo], after.own[photo]) = (own, all) }
      }
      if after.own.isEmpty { return stored }
      let (old, new) = (before, after)
      change { state in
        state.history.add(from: old, to: new, "Settings of another program")
        state.settle(new, since: old, library)
      }
      return stored
    }
  }

  /// Checks that no other program has changed settings, since they were read, that the edit changes.
  ///
  /// - Throws: `Refusal`, once for each version of a sidecar.
  private func checkStored(
    _ stored: [Int: JSON.Object], _ moment: Moment, _ known: [Int: JSON.Object]
  ) throws(Refusal) {
    let accepted = state.withLock { $0.replaceable }
    var (failures, replaceable) = (ListedProblems(), accepted)
    for (photo, own) in moment.own.sorted(by: { $0.key < $1.key }) {
      let old = known[photo] ?? JSON.Object()
      let found = stored[photo] ?? old
      let keys = Set(own.keys + old.keys + found.keys).filter {
        own[$0] != old[$0] && found[$0] != old[$0] && found[$0] != own[$0]
      }
      if keys.isEmpty || accepted[photo] == found { continue }
      replaceable[photo] = found
      failures.add(
        "\(library.path(photo).string): another program has changed "
          + keys.sorted().joined(separator: ", "))
    }
    if failures.count == 0 { return }
    let told = replaceable
    change { $0.replaceable = told }
    throw Refusal(
      409, failures.text, hint: "save again to replace the values there by those of the page")
  }
}

/// The recipe is saved, but not the photos' own settings.
struct OwnNotSaved: Error {
  let reason: any Error
}

extension Refusal {
  /// The refusal for a library that could not be read again after photos' settings were saved.
  fileprivate init(notRead error: any Error, after result: Result<Int, any Error>) {
    let unread = Refusal(unread: error)
    switch result {
    case .success:
      self.init(
        409, "the settings of the photos were saved, but \(unread.message)", hint: unread.hint)
    case .failure(let failure):
      let text = (failure as? any UserError)?.message ?? "\(failure)"
      self.init(409, "\(text)\n\(unread.message)", hint: "save again")
    }
  }
}

/// The difference between a photo's own settings before and after an edit.
private struct OwnChange {
  var set = JSON.Object()
  var unset: [String]

  var isEmpty: Bool { self.set.members.isEmpty && unset.isEmpty }

  /// Compares settings; new values of the settings in `useless` are left out.
  init(from old: JSON.Object, to new: JSON.Object, without useless: Set<String>) {
    for member in new.members
    where old[member.key] != member.value && !useless.contains(member.key) {
      set.append(member)
    }
    unset = old.keys.filter { new[$0] == nil }
  }
}
