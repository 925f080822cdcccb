import PhotoLibrary
import PhotoRecipes
public import SystemPackage

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
    // file. The session waits for a running command or refuses the undo, and completes a commit
    // that was interrupted; it also refuses the undo if shards are not merged.
    var found: [TrashedRun] = []
    let root = named.root
    if !root.isInUse && !root.hasPendingJournal && ShardFolders.all(in: root.files).isEmpty {
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

  /// Lists the commands that can be undone, newest first, and what `undo` would change; writes
  /// nothing.
  ///
  /// If photos are named, the list has only the commands that changed these photos.
  ///
  /// - Throws: `MissingInput` if no command can be undone.
  public func listUndo(
    _ paths: [FilePath], library: FilePath? = nil,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let named = try PhotoPaths(paths, library: library, acceptsNew: true)
    let runs = try LibraryUndo.steps(atMost: Trash.mostRuns, of: named, paths)
    let steps = runs.enumerated().map { index, run in
      UndoStep(number: index + 1, command: run.command, changes: run.changes.count)
    }
    let session = LibrarySession(reading: named.root, options, nil)
    let undo = LibraryUndo(
      runs[0], photos: Set(session.contents.assets.map(\.path)), offersSkip: true)
    let observeAll = { @Sendable (event: RunEvent) in
      observe(event)
      if case .began = event { for step in steps { observe(.undoable(step)) } }
    }
    return try await work(
      session, observeAll, only: undo.concerns, undo.missingOutcomes, isAtomic: false,
      files: { undo.restoreLoose($0, writes: false) }, undo.plan)
  }
}
