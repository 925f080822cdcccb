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
      defer { changing.withLock { _ in keepDraft() } }
      return try saveNow()
    }
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
      // Settings of photos that failed stay unsaved in the edit; those of others are saved.
      defer { try? reload(only: unsaved.photos) }
      try saveOwn(unsaved.photos, now)
    } else if unsaved.recipe {
      try reload(only: [])
    }
    return (unsaved.recipe, unsaved.photos.count)
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
    let variant = try moment.document.recipe().recipe.variant
    let failures = Messages()
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
      adjustment.variant = variant
      let paths = photos.map { library.root.pushing(library.path($0)) }
      let editor = LibraryEditor(options.batch)
      let finished = adjustment
      _ = try waiting {
        try await editor.adjust(paths, library: place, finished) { event in
          guard case .finished(let outcome) = event, outcome.reason.outcome != .fine else { return }
          let text = "\(outcome.path.string): \(outcome.detail ?? outcome.reason.rawValue)"
          failures.add(text)
        }
      }
    }
    let failed = failures.all
    if !failed.isEmpty {
      throw Refusal(
        409, failed.prefix(5).joined(separator: "\n"),
        hint: "the settings of these photos stay unsaved in the edit")
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
