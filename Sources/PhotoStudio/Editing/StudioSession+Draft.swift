import Notation
import PhotoBatch
import PhotoRecipes
import Synchronization
import SystemPackage

/// The draft of an edit: what is not saved survives a crash.
extension StudioSession {
  /// The draft that an earlier studio left, until a person has continued or discarded it.
  var foundDraft: Draft? { state.withLock { $0.foundDraft } }

  /// The reason why the latest changes are not in a draft; nil if they are.
  var draftProblem: String? { state.withLock { $0.draftProblem } }

  /// True if the recipe's file is no longer what the found draft was made from.
  var isDraftOutdated: Bool {
    state.withLock { state in state.foundDraft.map { $0.onDisk != state.onDisk } ?? false }
  }

  /// Makes the changes of the found draft, as one change that `undo` takes back.
  ///
  /// - Returns: The number of changed photos that are no longer in the library.
  /// - Throws: `Refusal` if the changes do not fit the recipe any more; the draft is then kept.
  func continueDraft() throws(Refusal) -> Int {
    try changing.withLock { _ throws(Refusal) in
      let before = now
      guard let draft = foundDraft else {
        throw Refusal(409, "there are no earlier changes", hint: "reload the page")
      }
      var moment = before
      moment.text = RecipeText(draft.text)
      let numbers = library.numbers(of: Set(draft.own.keys))
      for (path, own) in draft.own {
        if let number = numbers[path] { moment.own[number] = own }
      }
      moment.document = try check(moment, before, photos: Array(moment.own.keys))
      let finished = moment
      change { state in
        state.history.add(finished, "Earlier changes")
        // If the file has changed meanwhile, saving then refuses to overwrite it.
        state.onDisk = draft.onDisk
        state.foundDraft = nil
      }
      keepDraft()
      return draft.own.count - numbers.count
    }
  }

  /// Forgets the found draft, or that of this session.
  func discardDraft() {
    changing.withLock { _ in
      change { $0.foundDraft = nil }
      draftFile.remove()
    }
  }

  /// Writes what is not saved into the draft's file, or removes the file if everything is saved.
  func keepDraft() {
    if options.isReadOnly || foundDraft != nil { return }
    let unsaved = unsaved
    if !unsaved.recipe && unsaved.photos.isEmpty {
      draftFile.remove()
      return state.withLock { $0.draftProblem = nil }
    }
    let (now, onDisk) = state.withLock { ($0.history.now, $0.onDisk) }
    var draft = Draft(onDisk: onDisk, text: now.text.bytes, own: [:], date: SourceDate.text)
    for photo in unsaved.photos { draft.own[library.path(photo).string] = own(photo, in: now) }
    var problem: String?
    do { try draftFile.write(draft) } catch {
      let known = error as? any UserError
      problem = "A crash would lose the changes: \(known?.message ?? "\(error)")."
    }
    let found = problem
    state.withLock { $0.draftProblem = found }
  }
}
