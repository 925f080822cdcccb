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
  ///
  /// - Throws: `InvalidArgument` for less than one step; `MissingInput` if so many steps cannot be
  ///   undone.
  public func undo(
    _ paths: [FilePath], library: FilePath? = nil, steps: Int = 1, skipsBlocked: Bool = false,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    if steps < 1 {
      throw InvalidArgument("\(steps) steps cannot be undone", hint: "undo 1 step or more")
    }
    let named = try PhotoPaths(paths, library: library, acceptsNew: true)
    // Checked before the library is locked, because a folder without edits has no place for a lock
    // file. The session waits for a running command or refuses the undo, and completes a commit
    // that was interrupted; it also refuses the undo if shards are not merged.
    var found: [TrashedRun] = []
    if named.root.incompleteCommand == nil {
      found = try LibraryUndo.steps(steps, of: named, paths)
    }
    var options = options
    options.needsUndoData = true
    options.keepsUndoData = skipsBlocked || !named.isWholeLibrary || steps > 1
    var whole = RunSummary()
    for step in 0..<steps {
      var session = try await LibrarySession(changing: named.root, options)
      do {
        if step == 0 { found = try LibraryUndo.steps(steps, of: named, paths) }
      } catch {
        session.close()
        throw error
      }
      let undo = undo(of: found[step], in: &session, offersSkip: !skipsBlocked)
      let summary = try await work(
        session, observe, only: undo.concerns, undo.absent, isAtomic: !skipsBlocked,
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
  /// If photos are named, the list has only the commands that changed these photos. It is empty if
  /// the only command is not complete yet. A warning says if earlier commands cannot be undone,
  /// such as those of another machine.
  ///
  /// - Throws: `MissingInput` if no command can be undone; `RecoveryError` if the newest command
  ///   was run on another machine, or its data are damaged.
  public func listUndo(
    _ paths: [FilePath], library: FilePath? = nil,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let named = try PhotoPaths(paths, library: library, acceptsNew: true)
    try named.root.checkJournals()
    let (runs, obstacle) = try LibraryUndo.list(of: named)
    guard let newest = runs.first else {
      guard let cause = named.root.incompleteCommand else { throw LibraryUndo.nothing(in: paths) }
      observe(.began(photos: 0))
      var summary = RunSummary()
      summary.absence = .nothingToUndo(cause)
      return summary
    }
    let steps = runs.enumerated().map { index, run in
      UndoStep(number: index + 1, command: run.command, changes: run.changes.count)
    }
    var session = LibrarySession(reading: named.root, options, nil)
    let undo = undo(of: newest, in: &session, offersSkip: true)
    let observeAll = { @Sendable (event: RunEvent) in
      observe(event)
      guard case .began = event else { return }
      for step in steps { observe(.undoable(step)) }
      if let obstacle {
        observe(.warning("earlier commands cannot be undone: \(obstacle.message)"))
      }
    }
    return try await work(
      session, observeAll, only: undo.concerns, undo.absent, isAtomic: false,
      files: { undo.restoreLoose($0, writes: false) }, undo.plan)
  }

  /// Prepares the undo of a command.
  ///
  /// The session forgets the errors of its scan. They concern the undo only if the command changed
  /// photos that the scan did not reach, and the undo reports each of these photos.
  private func undo(
    of run: TrashedRun, in session: inout LibrarySession, offersSkip: Bool
  ) -> LibraryUndo {
    let undo = LibraryUndo(run, in: session, offersSkip: offersSkip)
    session.contents.problems = []
    return undo
  }
}

extension OutputRoot {
  /// The reason why the newest command cannot be undone yet; nil if all commands are complete.
  fileprivate var incompleteCommand: String? {
    if !ShardFolders.all(in: files).isEmpty { return "the shards of a plan are not merged" }
    if isInUse { return "a command is running" }
    return hasPendingJournal ? "a command was interrupted, and the next one completes it" : nil
  }
}
