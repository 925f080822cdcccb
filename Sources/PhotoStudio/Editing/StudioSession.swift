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
  }
  let state: Mutex<State>
  let draftFile: DraftFile
  /// Ensures that changes are made one after the other, so that no change is lost.
  let changing = Mutex(())
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
    let start = Moment(text: RecipeText(bytes), document: document)
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

  /// True if the recipe's text differs from its file, and the photos whose own settings differ from
  /// their sidecars.
  package var unsaved: (recipe: Bool, photos: [Int]) {
    let (now, onDisk) = state.withLock { ($0.history.now, $0.onDisk) }
    let photos = now.own.filter { $0.value != library.own($0.key) }.keys.sorted()
    return (now.text.bytes != onDisk, photos)
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
      guard (edit.photos ?? []).allSatisfy({ $0 < library.count }) else {
        throw Refusal(
          404, "the photo no longer exists in the library", hint: "reload the page")
      }
      try applyNow(edit)
      keepDraft()
    }
  }

  private func applyNow(_ edit: Edit) throws(Refusal) {
    let before = now
    var moment = before
    if let photos = edit.photos {
      for photo in photos { moment.own[photo] = try own(photo, in: before).changed(by: edit) }
    } else {
      moment.text = try changed(before, by: edit)
    }
    moment.document = try check(moment, before, photos: edit.photos ?? [])
    change { $0.history.add(moment, edit.label) }
  }

  func undo() { step { $0.history.undo() } }

  func redo() { step { $0.history.redo() } }

  private func step(_ body: (inout sending State) -> Void) {
    changing.withLock { _ in
      change(body)
      keepDraft()
    }
  }

  func change(_ body: (inout sending State) -> Void) {
    state.withLock { state in
      body(&state)
      state.revision += 1
    }
  }

  private func changed(_ moment: Moment, by edit: Edit) throws(Refusal) -> RecipeText {
    var text = moment.text
    let inherited = Set(moment.document.stepIDs).subtracting(text.ownSteps)
    do throws(RecipeText.Obstacle) {
      for operation in edit.operations {
        switch operation {
        case .set(let key, let value):
          let path = key.split(separator: ".").map(String.init)
          try text.set(
            Array(path.dropFirst()), of: path[0], to: value == .null ? nil : value,
            inherited: inherited)
        case .add(let step, let place): try text.insert(step, at: place)
        case .remove(let id): try text.removeStep(id)
        case .move(let id, let place): try text.moveStep(id, to: place)
        }
      }
    } catch { throw Refusal(error) }
    return text
  }

  /// Reads the recipe of a changed edit, and checks the change.
  ///
  /// A change from the page is refused if it affects a step or a setting that runs a program or
  /// reads a file.
  func check(
    _ moment: Moment, _ before: Moment, photos: [Int]
  ) throws(Refusal) -> RecipeDocument {
    do {
      let isSame = moment.text == before.text
      let document =
        try isSame ? before.document : RecipeDocument(text: moment.text.bytes, of: options.recipe)
      let assignments = options.batch.assignments
      let old = try before.document.recipe(assignments: assignments).recipe
      var recipes = [try document.recipe(assignments: assignments).recipe]
      for own in Set(photos.compactMap { moment.own[$0] }) {
        let overrides = own.members.map { Assignment(key: $0.key, value: $0.value) }
        recipes.append(
          try document.recipe(overrides: overrides, assignments: assignments).recipe)
      }
      for recipe in recipes { try recipe.checkPrograms(areThoseOf: old) }
      return document
    } catch let error as InvalidDocument {
      throw Refusal(422, error.diagnostics.map(\.problem.message).joined(separator: "; "), hint: "")
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(500, "\(error)", hint: "")
    }
  }
}

extension JSON.Object {
  /// A photo's own settings after a change.
  fileprivate func changed(by edit: Edit) throws(Refusal) -> JSON.Object {
    var own = self
    for operation in edit.operations {
      guard case .set(let key, let value) = operation else {
        throw Refusal(
          422, "steps belong to the recipe",
          hint: "switch to 'All photos' to add, remove or move a step")
      }
      own[key] = value
    }
    return own
  }
}

extension RecipeDocument {
  /// The ids of all steps, of the recipe and of its outputs.
  fileprivate var stepIDs: [String] {
    ([tree] + (tree["outputs"]?.array ?? [])).flatMap { $0["filters"]?.array ?? [] }
      .compactMap(\.stepID)
  }
}
