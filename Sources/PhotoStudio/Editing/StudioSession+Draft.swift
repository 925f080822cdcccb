import Notation
import PhotoBatch
import PhotoRecipes
import Synchronization
import SystemPackage

/// The draft keeps unsaved changes across a crash.
extension StudioSession {
  /// The changes that the draft's file does not have yet.
  struct Undrafted: Sendable {
    var photos: Set<Int> = []
    var recipe = false
    /// True if the whole draft must be written.
    var isWhole = false

    var isEmpty: Bool { photos.isEmpty && !recipe && !isWhole }
  }

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
      try checkOpen()
      guard let draft = foundDraft else { throw Self.noDraft }
      let numbers = library.numbers(of: Set(draft.own.keys))
      let before = present(Set(numbers.values))
      var moment = before
      if draft.changesRecipe { moment.text = RecipeText(draft.text) }
      for (path, number) in numbers { moment.own[number] = draft.own[path] }
      let after = try checked(moment, before)
      let missing = draft.own.filter { numbers[$0.key] == nil }
      change { state in
        // If the file has changed meanwhile, saving then refuses to overwrite it.
        if draft.changesRecipe { state.onDisk = draft.onDisk }
        state.missing = missing
        state.foundDraft = nil
        state.undrafted.isWhole = true
        state.history.add(from: before, to: after, "Earlier changes")
        state.settle(after, since: before, library)
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
      try checkOpen()
      guard foundDraft != nil else { throw Self.noDraft }
      change { $0.foundDraft = nil }
      draftFile.remove()
    }
  }

  private static let noDraft = Refusal(409, "there are no earlier changes", hint: "reload the page")

  /// - Throws: `Refusal` after `end`.
  func checkOpen() throws(Refusal) {
    if state.withLock({ $0.isEnded }) {
      throw Refusal(409, "the studio has ended", hint: "start it again in the terminal")
    }
  }

  /// Ends the edit, and removes its draft; later changes are refused.
  ///
  /// Changes of an earlier studio stay in the draft; only the user discards them, in the dialog.
  ///
  /// - Throws: `Refusal` if there are unsaved changes that the user has not discarded.
  func end(discardsChanges: Bool) throws(Refusal) {
    try changing.withLock { _ throws(Refusal) in
      let hasDraft = foundDraft != nil
      guard hasDraft || unsaved.isEmpty || discardsChanges else {
        throw Refusal(
          409, "there are unsaved changes", hint: "save them, or end without saving")
      }
      change { $0.isEnded = true }
      if hasDraft || options.isReadOnly { return }
      drafting.withLock { _ in
        let (onDisk, missing) = state.withLock { ($0.onDisk, $0.missing) }
        if missing.isEmpty { return draftFile.remove() }
        // If this fails, the draft still has these settings, and more.
        try? draftFile.write(
          Draft(onDisk: onDisk, text: onDisk, own: missing, date: SourceDate.text))
      }
    }
  }

  /// Adds the latest changes to the draft's file, or removes the file if nothing is unsaved.
  ///
  /// Changes that arrive while the file is written are written together afterwards.
  func keepDraft() {
    if options.isReadOnly { return }
    drafting.withLock { _ in
      let found = state.withLock { state -> Pending? in
        if state.isEnded || state.foundDraft != nil || state.undrafted.isEmpty { return nil }
        defer { state.undrafted = Undrafted() }
        let now = state.history.now
        let draft = Draft(
          onDisk: state.onDisk, text: now.text.bytes, own: state.missing, date: SourceDate.text)
        var change = Draft.Change(
          text: state.undrafted.recipe ? draft.text : nil, own: [:], date: draft.date)
        for photo in state.undrafted.photos {
          change.own.updateValue(now.own[photo], forKey: library.path(photo).string)
        }
        return Pending(
          change: change, missing: draft, own: now.own, isWhole: state.undrafted.isWhole)
      }
      guard let pending = found else { return }
      var problem: String?
      do { try write(pending) } catch {
        let known = error as? any UserError
        problem = "A crash would lose the changes: \(known?.message ?? "\(error)")."
      }
      let result = problem
      state.withLock { state in
        state.draftProblem = result
        if result != nil { state.undrafted.isWhole = true }
      }
    }
  }

  /// The edit at the moment at which the draft's file has to be written.
  private struct Pending {
    /// The changes since the file was written last.
    let change: Draft.Change
    /// The draft with the own settings of missing photos only.
    let missing: Draft
    /// The unsaved own settings of photos of the library, by the photos' numbers.
    let own: [Int: JSON.Object]
    /// True if the whole draft must be written.
    let isWhole: Bool

    var isSaved: Bool { !missing.changesRecipe && missing.own.isEmpty && own.isEmpty }
  }

  /// Writes a change, or the whole draft.
  private func write(_ pending: Pending) throws {
    if pending.isSaved { return draftFile.remove() }
    if try !pending.isWhole && draftFile.append(pending.change) { return }
    var draft = pending.missing
    for (photo, settings) in pending.own { draft.own[library.path(photo).string] = settings }
    try draftFile.write(draft)
  }
}
