import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// A command that changed something and can be undone.
public struct UndoStep: Sendable {
  /// The command, such as `run web.json`; nil if it is not recorded.
  public let command: String?
  /// The number of photos and files that the command changed.
  public let changes: Int
}

extension LibraryEditor {
  /// Undoes the last command that changed something in the library.
  ///
  /// If photos or folders are named, undoes the last change of each named photo instead.
  ///
  /// `steps` is the number of commands or changes to undo, from the newest to the oldest. If a step
  /// cannot be undone completely, the later steps are not attempted, and the earlier steps stay
  /// undone. With `skipsBlocked`, photos that cannot be undone stay as they are, and the others are
  /// undone.
  public func undo(
    _ paths: [FilePath], library: FilePath? = nil, steps: Int = 1, skipsBlocked: Bool = false,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let named = try PhotoPaths(paths, library: library, acceptsNew: true)
    // Checked before the library is locked, because a folder without edits has no place for a lock
    // file. If shards are not merged, the session refuses the command.
    var found: [TrashedRun] = []
    if ShardFolders.all(in: named.root.files).isEmpty {
      found = try LibraryUndo.steps(steps, of: named, paths)
    }
    var options = options
    options.needsUndoData = true
    options.keepsUndoData = skipsBlocked || !named.isWholeLibrary || steps > 1
    var whole = RunSummary()
    for step in 0..<steps {
      let session = try await LibrarySession(changing: named.root, options)
      do {
        if step == 0 { found = try LibraryUndo.steps(steps, of: named, paths) }
      } catch {
        session.close()
        throw error
      }
      let undo = LibraryUndo(
        found[step], photos: Set(session.contents.assets.map(\.path)), offersSkip: !skipsBlocked)
      let summary = try await work(
        session, observe, only: undo.concerns, undo.missingOutcomes, isAtomic: !skipsBlocked,
        files: { undo.restoreLoose($0, writes: true) }, undo.run)
      whole.add(summary)
      if !summary.isFlawless && !skipsBlocked {
        if step + 1 < steps {
          observe(.warning("step \(step + 1) of \(steps) and the steps after it were not undone"))
        }
        break
      }
    }
    return whole
  }

  /// The commands that can be undone, newest first.
  ///
  /// If photos are named, the list has only the commands that changed these photos.
  ///
  /// - Throws: `MissingInput` if no command can be undone.
  public func undoSteps(_ paths: [FilePath], library: FilePath? = nil) throws -> [UndoStep] {
    let named = try PhotoPaths(paths, library: library, acceptsNew: true)
    _ = try LibraryUndo.steps(1, of: named, paths)
    let files = named.root.files
    let found =
      named.isWholeLibrary
      ? try Trash.lastRuns(Trash.mostRuns, in: files)
      : try Trash.newestChanges(Trash.mostRuns, in: files, of: named.contains)
    return found.map { UndoStep(command: $0.command, changes: $0.changes.count) }
  }

  /// Lists what `undo` would change; writes nothing.
  public func listUndo(
    _ paths: [FilePath], library: FilePath? = nil,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let named = try PhotoPaths(paths, library: library, acceptsNew: true)
    let changes = try LibraryUndo.steps(1, of: named, paths)[0]
    let session = LibrarySession(reading: named.root, options, nil)
    let undo = LibraryUndo(
      changes, photos: Set(session.contents.assets.map(\.path)), offersSkip: true)
    return try await work(
      session, observe, only: undo.concerns, undo.missingOutcomes, isAtomic: false,
      files: { undo.restoreLoose($0, writes: false) }, undo.plan)
  }
}
