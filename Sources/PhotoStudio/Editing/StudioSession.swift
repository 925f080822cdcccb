import Notation
package import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import Synchronization
package import SystemPackage

/// The edit of one recipe over one library, from the opening of the studio until the user presses
/// Done or Cancel.
///
/// Nothing but a draft is written before `save` is called. Functions may block the calling thread.
package final class StudioSession: Sendable {
  /// The command's arguments.
  package struct Options: Sendable {
    package var recipe: FilePath
    package var library: FilePath
    package var batch: BatchOptions
    /// True if nothing may be saved, and no run may start.
    package var isReadOnly: Bool

    package init(
      recipe: FilePath, library: FilePath, batch: BatchOptions, isReadOnly: Bool = false
    ) {
      (self.recipe, self.library) = (recipe, library)
      (self.batch, self.isReadOnly) = (batch, isReadOnly)
    }
  }

  package let options: Options
  let library: LiveLibrary
  struct State {
    var history: EditHistory
    /// The text of the recipe's file when it was last read or written.
    var onDisk: [UInt8]
    /// The draft that an earlier studio left, until the user has decided about it.
    var foundDraft: Draft?
    var draftProblem: String?
    /// Own settings, from a draft, of photos that are not in the library, by their paths.
    var missing: [String: JSON.Object] = [:]
    var opened: [Int: OpenedPhoto] = [:]
    /// The states of the edit that pages compare with, by number.
    var pins: [Int: Moment] = [:]
    /// A number that increases with each change of the state that `editState` describes.
    var revision = 0
    /// The photos whose own settings were changed since the studio was opened.
    var touched: Set<Int> = []
    var undrafted = Undrafted()
    /// True after `end`; then nothing is changed any more.
    var isEnded = false
    /// The number of times that the library was read again; photos in `opened` are of the last one.
    var reloads = 0
    /// Own settings in sidecars, by other programs, that a save was refused for; the next save replaces them.
    var replaceable: [Int: JSON.Object] = [:]
  }
  let state: Mutex<State>
  let draftFile: DraftFile
  /// The draft of an earlier studio that could not be read; nil if there was none.
  let unreadableDraft: DraftFile.Unreadable?
  /// Ensures that changes are made one after the other, so that no change is lost.
  let changing = Mutex(())
  /// Locked while the draft's file is written.
  let drafting = Mutex(())
  /// Ensures that only one save is in progress at a time.
  let saving = Mutex(())
  /// Ensures that the library is read again by one thread at a time.
  let reloading = Mutex(())

  /// Reads the recipe and the library.
  ///
  /// - Throws: `MissingInput` or `InvalidDocument` for a recipe that cannot be read.
  package init(_ options: Options) throws {
    self.options = options
    let document = try RecipeDocument(contentsOf: options.recipe)
    let bytes = try RecipeFile(options.recipe).read()
    library = try LiveLibrary(document, library: options.library, options: options.batch)
    let text = RecipeText(bytes)
    let start = Moment(
      text: text, document: document,
      recipe: try document.recipe(assignments: options.batch.assignments).recipe,
      inherited: text.inherited(of: options.recipe))
    draftFile = DraftFile(of: try options.recipe.canonical(), in: library.outputRoot)
    var first = State(history: EditHistory(start), onDisk: bytes)
    switch options.isReadOnly ? .none : draftFile.read() {
    case .none: unreadableDraft = nil
    case .draft(let draft): (first.foundDraft, unreadableDraft) = (draft, nil)
    case .unreadable(let found): unreadableDraft = found
    }
    state = Mutex(first)
  }

  package func stop() { library.stop() }

  /// The present state of the edit.
  var now: Moment { state.withLock { $0.history.now } }

  /// The number of the present state; a later state has a greater number.
  var revision: Int { state.withLock { $0.revision } }

  var labels: (undo: String?, redo: String?) {
    state.withLock { ($0.history.undoLabel, $0.history.redoLabel) }
  }

  /// The changes that are not saved.
  package struct Unsaved: Sendable {
    /// True if the recipe's text differs from its file.
    var recipe: Bool
    /// The number of photos whose own settings differ from their sidecars.
    var photos: Int

    var isEmpty: Bool { !recipe && photos == 0 }
  }

  package var unsaved: Unsaved {
    state.withLock { state in
      let now = state.history.now
      return Unsaved(recipe: now.text.bytes != state.onDisk, photos: now.own.count)
    }
  }

  /// - Throws: `Refusal` if the studio was opened with `--read-only`.
  func checkMayWrite(_ consequence: String) throws(Refusal) {
    if options.isReadOnly {
      throw Refusal(403, "the studio was opened with --read-only", hint: consequence)
    }
  }

  /// A photo's own settings, with changes that are not saved.
  func own(_ photo: Int, in moment: Moment) -> JSON.Object {
    moment.own[photo] ?? library.own(photo, for: moment.recipe)
  }

  /// The own settings of all photos that were changed since the studio was opened; nil if there are
  /// more than `limit`.
  ///
  /// A photo that has none any more has an empty object. Otherwise, pages would show the settings
  /// with which they have opened the photo.
  func touchedOwn(atMost limit: Int) -> [Int: JSON.Object]? {
    let (touched, now) = state.withLock { ($0.touched, $0.history.now) }
    if touched.count > limit { return nil }
    return library.own(touched, for: now.recipe).merging(
      now.own.filter { touched.contains($0.key) }
    ) { $1 }
  }

  /// The present state with the own settings, saved or not, of these photos only.
  func present(_ photos: Set<Int>) -> Moment {
    var moment = state.withLock { state in
      var moment = state.history.now
      let unsaved = moment.own
      moment.own = [:]
      for photo in photos { moment.own[photo] = unsaved[photo] }
      return moment
    }
    let others = photos.filter { moment.own[$0] == nil }
    moment.own.merge(library.own(others, for: moment.recipe)) { own, _ in own }
    return moment
  }

  // MARK: Changes

  /// Makes a change that `undo` can take back.
  ///
  /// - Returns: The number of photos whose own settings have changed; those that had the new values
  ///   before do not count.
  /// - Throws: `Refusal` if the change is not possible; the edit then stays unchanged.
  @discardableResult
  func apply(_ edit: Edit) throws(Refusal) -> Int {
    let edited = try changing.withLock { _ throws(Refusal) in
      try checkOpen()
      if foundDraft != nil {
        throw Refusal(
          409, "earlier changes of the recipe were not saved",
          hint: "reload the page, and continue or discard them first")
      }
      guard (edit.photos ?? []).allSatisfy({ $0.upperBound < library.count }) else {
        throw Refusal(
          404, "the photo no longer exists in the library", hint: "reload the page")
      }
      return try applyNow(edit)
    }
    keepDraft()
    return edited
  }

  private func applyNow(_ edit: Edit) throws(Refusal) -> Int {
    let before = present(Set((edit.photos ?? []).joined()))
    let edit = edit.meant(WholeEdges(before.document))
    try checkEffect(of: edit, before.document)
    var moment = before
    if edit.photos == nil { moment.text = try changed(before, by: edit) }
    for (photo, own) in before.own { moment.own[photo] = try own.changed(by: edit) }
    let after = try checked(moment, before)
    for (settings, old) in after.distinctOwn(since: before) {
      let unused = try after.document.unused(settings, options.batch.assignments)
      if let key = unused.first(where: { old[$0] == nil }) {
        throw Refusal(
          422, "the recipe has no setting '\(key)'", hint: "add the step to the recipe first")
      }
    }
    let edited = after.own.count { photo, own in own != before.own[photo] }
    if after.text == before.text && edited == 0 { return 0 }
    let (old, new) = withOtherStack(before, after)
    let label = self.label(of: edit)
    change { state in
      state.history.add(from: old, to: new, label)
      state.settle(new, since: old, library)
    }
    return edited
  }

  /// The label of a change for undo.
  ///
  /// Names the photo if only one changes, because another photo may be shown when it is undone.
  private func label(of edit: Edit) -> String {
    guard let range = edit.photos?.first, edit.photos?.count == 1, range.count == 1,
      let name = library.path(range.lowerBound).lastComponent
    else { return edit.label }
    return "\(edit.label) for \(name.string)"
  }

  /// Adds own settings to a change of the recipe's variant, because a variant has a stack of its
  /// own: those of all photos that were changed, from the stack or not saved yet.
  private func withOtherStack(_ before: Moment, _ after: Moment) -> (Moment, Moment) {
    if after.recipe.variant == before.recipe.variant { return (before, after) }
    let (touched, unsaved) = state.withLock { ($0.touched, $0.history.now.own) }
    var (old, new) = (before, after)
    old.own = library.own(touched, for: old.recipe).merging(unsaved) { $1 }
    new.own = library.own(touched, for: new.recipe).merging(unsaved) { $1 }
    return (old, new)
  }

  /// - Throws: `Refusal` if a new value would have no effect.
  private func checkEffect(of edit: Edit, _ document: RecipeDocument) throws(Refusal) {
    for case .set(let key, _, _?) in edit.operations {
      let fixed = options.batch.assignments.first {
        key == $0.key || key.hasPrefix("\($0.key).")
      }
      if let fixed {
        throw Refusal(
          422, "'\(fixed.key)' has the value of --set, so that a change has no effect",
          hint: "open the studio without --set \(fixed.key)=…")
      }
      if edit.photos != nil, document.hasUselessParameter(key) {
        throw Refusal(
          422, "a photo's own value of '\(key)' has no effect: no step or output uses it",
          hint: "change it for all photos")
      }
    }
  }

  func undo() throws(Refusal) { try step { $0.undo() } }

  func redo() throws(Refusal) { try step { $0.redo() } }

  private func step(_ body: (inout EditHistory) -> Moment?) throws(Refusal) {
    try changing.withLock { _ throws(Refusal) in
      try checkOpen()
      let before = present([])
      change { state in
        if let moment = body(&state.history) { state.settle(moment, since: before, library) }
      }
    }
    keepDraft()
  }

  func change(_ body: (inout sending State) -> Void) {
    state.withLock { state in
      body(&state)
      state.revision += 1
    }
  }

  private func changed(_ moment: Moment, by edit: Edit) throws(Refusal) -> RecipeText {
    var text = moment.text
    do throws(RecipeText.Obstacle) {
      for operation in edit.operations {
        switch operation {
        case .set(let key, let output, let value):
          let path = key.split(separator: ".").map(String.init)
          if path.count == 1 {
            try text.setParameter(path[0], to: value, in: moment.document)
          } else {
            try text.set(
              Array(path.dropFirst()), of: moment.step(path[0], output),
              to: value == .null ? nil : value, inherited: moment.inherited)
          }
        case .add(let step, let place): try text.insert(step, at: place)
        case .remove(let step): try text.removeStep(moment.step(step.id, step.output))
        case .move(let step, let next):
          let named = moment.step(step.id, step.output)
          for name in [named] + (next.map { [StepName($0, output: named.output)] } ?? [])
          where moment.inherited.contains(name) {
            throw .inherited(name.id)
          }
          try text.moveStep(named, before: next)
        }
      }
    } catch { throw Refusal(error) }
    return text
  }

  /// Reads the recipe of an edit again, and checks that it runs only the programs, and reads only the
  /// files, of an earlier state.
  func reread(_ moment: Moment, since before: Moment) throws -> Moment {
    var moment = moment
    moment.document = try RecipeDocument(text: moment.text.bytes, of: options.recipe)
    moment.inherited = moment.text.inherited(of: options.recipe)
    moment.recipe = try moment.document.recipe(assignments: options.batch.assignments).recipe
    try moment.recipe.checkPrograms(areThoseOf: before.recipe)
    return moment
  }

  /// Reads the recipe of a changed edit, and checks the change.
  ///
  /// A change from the page is refused if it affects a step or a setting that runs a program or
  /// reads a file.
  func checked(_ moment: Moment, _ before: Moment) throws(Refusal) -> Moment {
    do {
      var moment = moment
      let assignments = options.batch.assignments
      if moment.text != before.text { moment = try reread(moment, since: before) }
      let files = Set(before.recipe.namedFiles.map(\.path))
      let programs = before.recipe.externalSteps.map(\.step)
      for (own, old) in moment.distinctOwn(since: before) {
        let personal = try moment.document.recipe(
          overrides: own.assignments, assignments: assignments
        ).recipe
        let forbidden = ForbiddenSettings(
          in: own.assignments, personal, of: moment.document, assignments, files: files,
          programs: programs)
        guard let forbidden else { continue }
        // A run refuses a setting that the photo has already; it does not prevent other changes.
        let known = try before.document.recipe(
          overrides: old.assignments, assignments: assignments
        ).recipe.uses(beyond: files, programs)
        let new = forbidden.filter { own[$0.key] != old[$0.key] || !known.contains($0.use) }
        if let new { throw Refusal(422, new.message, hint: new.remedy) }
      }
      return moment
    } catch let error as InvalidDocument {
      throw Refusal(422, error.diagnostics.map(\.problem.message).joined(separator: "; "), hint: "")
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(500, "\(error)", hint: "")
    }
  }
}

extension StudioSession.State {
  /// Updates the facts that depend on the recipe and on photos' own settings, after the history has
  /// taken `moment`; `before` is the state before.
  mutating func settle(_ moment: Moment, since before: Moment, _ library: LiveLibrary) {
    touched.formUnion(moment.own.keys)
    undrafted.photos.formUnion(moment.own.keys)
    if moment.text != before.text { undrafted.recipe = true }
    if moment.recipe.variant != before.recipe.variant { undrafted.isWhole = true }
    history.settle(library.own(moment.own.keys, for: moment.recipe))
  }
}

extension Moment {
  /// The step with this id: of an output if one is given or if no shared step has the id.
  fileprivate func step(_ id: String, _ output: String?) -> StepName {
    let name = StepName(id, output: output)
    let known = output == nil ? document.stepNames.filter { $0.id == id } : []
    return known.contains(name) ? name : known.first ?? name
  }
}

extension RecipeText {
  /// The steps that the recipe with this text takes from the recipe that it extends.
  fileprivate func inherited(of recipe: FilePath) -> Set<StepName> {
    guard let base = withoutOwnSteps,
      let document = try? RecipeDocument(text: base.bytes, of: recipe)
    else { return [] }
    return Set(document.stepNames)
  }

  fileprivate mutating func setParameter(
    _ name: String, to value: JSON?, in document: RecipeDocument
  ) throws(Obstacle) {
    guard let declared = document.tree["parameters"]?[name] else { throw .noParameter(name) }
    guard let value, value != .null else { throw .noDefault(name) }
    try setParameter(name, to: value, declared: declared)
  }
}
