import Notation
package import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import PhotoRender
import Synchronization
package import SystemPackage

/// The edit of one recipe over one library, from the opening of the studio until the user presses
/// Done or Cancel.
///
/// Nothing is written before `save` is called. Functions may block the calling thread.
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
  /// What is known about a photo, and whether the recipe was as saved when it was found.
  fileprivate struct Known {
    let opened: LiveLibrary.Opened
    let isSaved: Bool
  }

  struct State {
    var history: EditHistory
    /// The text of the recipe's file when it was last read or written.
    var onDisk: [UInt8]
    /// The draft that an earlier studio left, until the user has decided about it.
    var foundDraft: Draft?
    var draftProblem: String?
    fileprivate var opened: [Int: Known] = [:]
    /// The states of the edit that pages compare with, by number.
    fileprivate var pins: [Int: Moment] = [:]
    /// A number that increases with each change of the state that `editState` describes.
    var revision = 0
  }
  let state: Mutex<State>
  let draftFile: DraftFile
  /// Ensures that changes are made one after the other, so that no change is lost.
  let changing = Mutex(())
  /// Ensures that only one save is in progress at a time.
  private let saving = Mutex(())

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

  /// The image that the recipe starts from for a photo.
  func opened(_ photo: Int) throws(LivePictureFailure) -> LiveLibrary.Opened {
    let (known, now, onDisk) = state.withLock { ($0.opened[photo], $0.history.now, $0.onDisk) }
    if let known { return known.opened }
    let opened = try library.open(photo, now.document)
    state.withLock { state in
      if state.opened.count >= 64 { state.opened = [:] }
      state.opened[photo] = Known(opened: opened, isSaved: now.text.bytes == onDisk)
    }
    return opened
  }

  /// What a run of the saved recipe would do with a photo; nil if that is not known.
  func savedOutcome(_ photo: Int) -> AssetOutcome? {
    let known = state.withLock { $0.opened[photo] }
    return known.flatMap { $0.isSaved ? $0.opened.outcome : nil }
  }

  /// Keeps the present state of a photo's edit, so that pictures of it can be compared with later
  /// ones.
  ///
  /// - Returns: The number of the state; the latest eight are kept.
  func pin(_ photo: Int) -> Int {
    var moment = now
    moment.own[photo] = own(photo, in: moment)
    let pinned = moment
    return state.withLock { state in
      let number = (state.pins.keys.max() ?? 0) + 1
      state.pins[number] = pinned
      state.pins[number - 8] = nil
      return number
    }
  }

  /// The recipe of a picture: the present state of the edit, with the settings of sliders that the
  /// user is moving.
  func recipe(
    of photo: Int, moving: [Assignment] = [], isPhotosOwn: Bool = false, view: LiveView = LiveView()
  ) throws(InvalidDocument) -> Recipe {
    let now = state.withLock { state in view.pin.flatMap { state.pins[$0] } ?? state.history.now }
    let own = own(photo, in: now).members.map { Assignment(key: $0.key, value: $0.value) }
    // A photo's own setting takes precedence over the recipe's setting, even while the user moves
    // the slider of the recipe's setting.
    let overrides = isPhotosOwn ? own + moving : moving + own
    return try now.document.recipe(
      overrides: overrides, assignments: options.batch.assignments
    ).recipe.showing(view)
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
      for recipe in recipes
      where !Set(recipe.namedFiles).isSubset(of: old.namedFiles)
        || recipe.externalSteps.map(\.step) != old.externalSteps.map(\.step)
      {
        throw Refusal(
          422, "the studio cannot add files to a recipe or change its programs",
          hint: "edit the recipe with a text editor, and open the studio again")
      }
      return document
    } catch let error as InvalidDocument {
      throw Refusal(422, error.diagnostics.map(\.problem.message).joined(separator: "; "), hint: "")
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(500, "\(error)", hint: "")
    }
  }

  // MARK: Saving

  /// Saves the recipe and the photos' own settings.
  ///
  /// The recipe is saved first. Changes that cannot be saved stay in the edit, so that they are not
  /// lost.
  ///
  /// - Returns: True if the recipe was written, and the number of photos whose settings were saved.
  func save() throws -> (recipe: Bool, photos: Int) {
    try saving.withLock { _ in try saveNow() }
  }

  private func saveNow() throws -> (recipe: Bool, photos: Int) {
    if options.isReadOnly {
      throw Refusal(403, "the studio was opened with --read-only", hint: "nothing can be saved")
    }
    let unsaved = unsaved
    let now = now
    if unsaved.recipe {
      let file = try RecipeFile(options.recipe)
      let onDisk = state.withLock { $0.onDisk }
      let found = try file.read()
      guard found == onDisk || found == now.text.bytes else {
        throw Refusal(
          412, "'\(options.recipe.string)' was changed by another program since it was opened",
          hint: "save that version under another name, or undo your change of the recipe here")
      }
      if found != now.text.bytes { try file.replace(now.text.bytes) }
      change { $0.onDisk = now.text.bytes }
    }
    if !unsaved.photos.isEmpty {
      // Photos of a group that failed keep their settings here; those of others are saved.
      defer { try? reload(only: unsaved.photos) }
      try saveOwn(unsaved.photos, now)
    } else if unsaved.recipe {
      try reload(only: [])
    }
    changing.withLock { _ in keepDraft() }
    return (unsaved.recipe, unsaved.photos.count)
  }

  /// Reads the sidecars again, after a run or another change of the library; only those of the given
  /// photos if only their own settings were saved.
  func reload(only photos: [Int]? = nil) throws {
    try library.refresh(now.document, only: photos)
    change { $0.opened = [:] }
  }

  /// The folder by which commands find the library's edits: the library, or that of `--output`.
  ///
  /// Its state folder is created if it is missing.
  func editedFolder() throws -> FilePath {
    let root = library.outputRoot
    try root.prepare()
    return root.files.path
  }

  /// Saves photos' own settings; photos with the same change are one step of `phbatch undo`.
  private func saveOwn(_ photos: [Int], _ moment: Moment) throws {
    let place = try editedFolder()
    var groups: [OwnChange: [Int]] = [:]
    for photo in photos {
      groups[OwnChange(from: library.own(photo), to: own(photo, in: moment)), default: []]
        .append(photo)
    }
    for (change, photos) in groups.sorted(by: { $0.value[0] < $1.value[0] }) {
      var adjustment = AdjustmentChange()
      adjustment.assignments = change.set.members.map { Assignment(key: $0.key, value: $0.value) }
      adjustment.unset = change.unset
      adjustment.document = moment.document
      adjustment.variant = try moment.document.recipe().recipe.variant
      let paths = photos.map { library.root.pushing(library.path($0)) }
      let editor = LibraryEditor(options.batch)
      let failures = Messages()
      let finished = adjustment
      _ = try waiting {
        try await editor.adjust(paths, library: place, finished) { event in
          guard case .finished(let outcome) = event, outcome.reason.outcome != .fine else { return }
          let text = "\(outcome.path.string): \(outcome.detail ?? outcome.reason.rawValue)"
          failures.add(text)
        }
      }
      let failed = failures.all
      if !failed.isEmpty {
        throw Refusal(
          409, failed.prefix(5).joined(separator: "\n"),
          hint: "the settings of these photos are kept here, and not saved")
      }
    }
  }
}

/// Collects messages from several threads.
private final class Messages: Sendable {
  private let texts = Mutex<[String]>([])

  var all: [String] { texts.withLock { $0 } }

  func add(_ text: String) { texts.withLock { $0.append(text) } }
}

/// The difference between a photo's own settings before and after an edit.
private struct OwnChange: Hashable {
  var set = JSON.Object()
  var unset: [String]

  init(from old: JSON.Object, to new: JSON.Object) {
    for member in new.members where old[member.key] != member.value { set.append(member) }
    unset = old.keys.filter { new[$0] == nil }
  }
}

/// The reason why the studio refuses a request of the page.
struct Refusal: UserError, Hashable {
  /// The HTTP status of the response.
  let status: Int
  let message: String
  let hint: String

  init(_ status: Int, _ message: String, hint: String) {
    (self.status, self.message, self.hint) = (status, message, hint)
  }

  init(_ obstacle: RecipeText.Obstacle) {
    status = 422
    switch obstacle {
    case .unreadable: (message, hint) = ("the recipe cannot be read", "")
    case .noStep(let id): (message, hint) = ("the recipe has no step '\(id)'", "reload the page")
    case .inherited(let id):
      message = "the step '\(id)' comes from the recipe that this one extends"
      hint = "turn it off here, or change it there"
    case .known(let id):
      (message, hint) = ("the recipe already has a step '\(id)'", "give the new one another id")
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
