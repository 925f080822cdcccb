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
    /// The unsaved changes, and the revision for which they were found.
    var unsaved: (revision: Int, changes: Unsaved)?
    /// The number of times that the library was read again; photos in `opened` are of the last one.
    var reloads = 0
  }
  let state: Mutex<State>
  let draftFile: DraftFile
  /// Ensures that changes are made one after the other, so that no change is lost.
  let changing = Mutex(())
  /// The revision of the edit that the draft's file contains; locked while the file is written.
  let drafting = Mutex(-1)
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
      text: text, document: document, inherited: text.inherited(of: options.recipe))
    draftFile = DraftFile(of: try options.recipe.canonical(), in: library.outputRoot)
    var first = State(history: EditHistory(start), onDisk: bytes)
    if !options.isReadOnly { first.foundDraft = draftFile.read() }
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
    /// The photos whose own settings differ from their sidecars.
    var photos: [Int]

    var isEmpty: Bool { !recipe && photos.isEmpty }
  }

  package var unsaved: Unsaved {
    let (revision, known, now, onDisk) = state.withLock {
      ($0.revision, $0.unsaved, $0.history.now, $0.onDisk)
    }
    if let known, known.revision == revision { return known.changes }
    let photos = now.own.filter { $0.value != library.own($0.key) }.keys.sorted()
    let found = Unsaved(recipe: now.text.bytes != onDisk, photos: photos)
    state.withLock { if $0.revision == revision { $0.unsaved = (revision, found) } }
    return found
  }

  /// - Throws: `Refusal` if the studio was opened with `--read-only`.
  func checkMayWrite(_ consequence: String) throws(Refusal) {
    if options.isReadOnly {
      throw Refusal(403, "the studio was opened with --read-only", hint: consequence)
    }
  }

  /// A photo's own settings, with changes that are not saved.
  func own(_ photo: Int, in moment: Moment) -> JSON.Object {
    moment.own[photo] ?? library.own(photo)
  }

  // MARK: Changes

  /// Makes a change that `undo` can take back.
  ///
  /// - Throws: `Refusal` if the change is not possible; the edit then stays unchanged.
  func apply(_ edit: Edit) throws(Refusal) {
    try changing.withLock { _ throws(Refusal) in
      if foundDraft != nil {
        throw Refusal(
          409, "earlier changes of the recipe were not saved",
          hint: "reload the page, and continue or discard them first")
      }
      guard (edit.photos ?? []).allSatisfy({ $0.upperBound < library.count }) else {
        throw Refusal(
          404, "the photo no longer exists in the library", hint: "reload the page")
      }
      try applyNow(edit)
    }
    keepDraft()
  }

  private func applyNow(_ edit: Edit) throws(Refusal) {
    let before = now
    var moment = before
    let photos = Set((edit.photos ?? []).joined())
    if edit.photos == nil { moment.text = try changed(before, by: edit) }
    for photo in photos { moment.own[photo] = try own(photo, in: before).changed(by: edit) }
    moment = try checked(moment, before, photos: photos)
    for (number, settings) in distinct(photos, in: moment) {
      let known = own(number, in: before)
      let unused = try moment.document.unused(settings, options.batch.assignments)
      if let key = unused.first(where: { known[$0] == nil }) {
        throw Refusal(
          422, "the recipe has no setting '\(key)'", hint: "add the step to the recipe first")
      }
    }
    let finished = moment
    change { $0.history.add(finished, edit.label) }
  }

  /// The photos with different own settings: one photo for each.
  private func distinct(_ photos: Set<Int>, in moment: Moment) -> [(Int, JSON.Object)] {
    var seen: Set<JSON.Object> = []
    return photos.sorted().compactMap { photo in
      guard let own = moment.own[photo], seen.insert(own).inserted else { return nil }
      return (photo, own)
    }
  }

  func undo() { step { $0.history.undo() } }

  func redo() { step { $0.history.redo() } }

  private func step(_ body: (inout sending State) -> Void) {
    changing.withLock { _ in change(body) }
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

  /// Reads the recipe of a changed edit, and checks the change.
  ///
  /// A change from the page is refused if it affects a step or a setting that runs a program or
  /// reads a file.
  func checked(
    _ moment: Moment, _ before: Moment, photos: Set<Int>
  ) throws(Refusal) -> Moment {
    do {
      var moment = moment
      if moment.text != before.text {
        moment.document = try RecipeDocument(text: moment.text.bytes, of: options.recipe)
        moment.inherited = moment.text.inherited(of: options.recipe)
      }
      let assignments = options.batch.assignments
      let old = try before.document.recipe(assignments: assignments).recipe
      var recipes = [try moment.document.recipe(assignments: assignments).recipe]
      for (_, own) in distinct(photos, in: moment) {
        recipes.append(
          try moment.document.recipe(overrides: own.assignments, assignments: assignments).recipe)
      }
      for recipe in recipes { try recipe.checkPrograms(areThoseOf: old) }
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

extension RecipeDocument {
  /// The keys of own settings for which the recipe has no step and no parameter.
  fileprivate func unused(
    _ own: JSON.Object, _ assignments: [Assignment]
  ) throws(Refusal) -> [String] {
    do throws(InvalidDocument) {
      return try recipe(overrides: own.assignments, assignments: assignments).unused.map(\.key)
    } catch {
      throw Refusal(422, error.message, hint: "")
    }
  }
}

extension JSON.Object {
  /// Own settings of a photo, as values that replace those of a recipe.
  var assignments: [Assignment] { members.map { Assignment(key: $0.key, value: $0.value) } }
}

extension JSON.Object {
  /// A photo's own settings after a change.
  fileprivate func changed(by edit: Edit) throws(Refusal) -> JSON.Object {
    var own = self
    for operation in edit.operations {
      guard case .set(let key, _, let value) = operation else {
        throw Refusal(
          422, "steps belong to the recipe",
          hint: "switch to 'All photos' to add, remove or move a step")
      }
      own[key] = value
    }
    return own
  }
}
