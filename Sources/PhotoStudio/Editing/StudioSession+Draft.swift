import Notation
import PhotoBatch
import PhotoRecipes
import Synchronization
import SystemPackage

/// The draft keeps unsaved changes across a crash.
extension StudioSession {
  /// The draft that an earlier studio left, until the user continues or discards it.
  var foundDraft: Draft? { state.withLock { $0.foundDraft } }

  /// The reason why the latest changes are not in a draft; nil if they are.
  var draftProblem: String? { state.withLock { $0.draftProblem } }

  /// True if the recipe's file has changed since the found draft was written.
  var isDraftOutdated: Bool {
    state.withLock { state in state.foundDraft.map { $0.onDisk != state.onDisk } ?? false }
  }

  /// Makes the changes of the found draft, as one change that `undo` takes back.
  ///
  /// Settings of photos that are not in the library, for instance because a folder is not mounted,
  /// stay in the draft.
  ///
  /// - Returns: The number of these photos.
  /// - Throws: `Refusal` if the changes do not fit the recipe any more; the draft is then kept.
  func continueDraft() throws(Refusal) -> Int {
    let missing = try changing.withLock { _ throws(Refusal) in
      let before = now
      guard let draft = foundDraft else { throw Self.noDraft }
      var moment = before
      if draft.changesRecipe { moment.text = RecipeText(draft.text) }
      let numbers = library.numbers(of: Set(draft.own.keys))
      for (path, own) in draft.own {
        if let number = numbers[path] { moment.own[number] = own }
      }
      let finished = try checked(moment, before, photos: Set(moment.own.keys))
      let missing = draft.own.filter { numbers[$0.key] == nil }
      change { state in
        state.history.add(finished, "Earlier changes")
        // If the file has changed meanwhile, saving then refuses to overwrite it.
        if draft.changesRecipe { state.onDisk = draft.onDisk }
        state.missing = missing
        state.foundDraft = nil
      }
      return missing.count
    }
    keepDraft()
    return missing
  }

  /// Discards the found draft.
  ///
  /// - Throws: `Refusal` if there is none, for instance because another page has continued it.
  func discardDraft() throws(Refusal) {
    try changing.withLock { _ throws(Refusal) in
      guard foundDraft != nil else { throw Self.noDraft }
      change { $0.foundDraft = nil }
      draftFile.remove()
    }
  }

  private static let noDraft = Refusal(409, "there are no earlier changes", hint: "reload the page")

  /// Ends the edit, and removes its draft.
  ///
  /// Changes of an earlier studio stay in the draft; only the user discards them, in the dialog.
  ///
  /// - Throws: `Refusal` if there are unsaved changes that the user has not discarded.
  func end(discardsChanges: Bool) throws(Refusal) {
    try changing.withLock { _ throws(Refusal) in
      if foundDraft != nil { return }
      guard unsaved.isEmpty || discardsChanges else {
        throw Refusal(
          409, "there are unsaved changes", hint: "save them, or end without saving")
      }
      drafting.withLock { _ in _ = writeDraft(Unsaved(recipe: false, photos: [])) }
    }
  }

  /// Writes the unsaved changes into the draft's file, or removes the file if there are none.
  ///
  /// Changes that arrive while the file is written are written together afterwards.
  func keepDraft() {
    if options.isReadOnly || foundDraft != nil { return }
    let wanted = revision
    drafting.withLock { written in
      if written >= wanted { return }
      let present = revision
      if writeDraft(unsaved) { written = present }
    }
  }

  /// Writes the draft; false if it cannot be written.
  private func writeDraft(_ unsaved: Unsaved) -> Bool {
    let (now, onDisk, missing) = state.withLock { ($0.history.now, $0.onDisk, $0.missing) }
    if unsaved.isEmpty && missing.isEmpty {
      draftFile.remove()
      state.withLock { $0.draftProblem = nil }
      return true
    }
    let text = unsaved.recipe ? now.text.bytes : onDisk
    var draft = Draft(onDisk: onDisk, text: text, own: missing, date: SourceDate.text)
    for photo in unsaved.photos { draft.own[library.path(photo).string] = own(photo, in: now) }
    var problem: String?
    do { try draftFile.write(draft) } catch {
      let known = error as? any UserError
      problem = "A crash would lose the changes: \(known?.message ?? "\(error)")."
    }
    let found = problem
    state.withLock { $0.draftProblem = found }
    return found == nil
  }
}
