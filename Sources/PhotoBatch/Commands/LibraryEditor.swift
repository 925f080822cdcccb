import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// The commands that change existing edits; each changes all named photos or none.
public final class LibraryEditor: Sendable {
  private let options: BatchOptions
  private let pool: WorkerPool

  public init(_ options: BatchOptions = BatchOptions()) {
    var options = options
    options.isAtomic = true
    self.options = options
    pool = WorkerPool(options)
  }

  /// Stops the command after the group of files that is being published.
  public func stop() { pool.stop() }

  /// Reverts the newest adjustment of a stack, or all of them if `isWhole` is true.
  ///
  /// The paths are photos and folders of one library; `variant` names the stack, nil for the main
  /// stack or a photo's only stack.
  ///
  /// - Throws: `MissingInput` if no photo has anything to revert.
  public func revert(
    _ paths: [FilePath], library: FilePath? = nil, variant: String?, isWhole: Bool,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let named = try PhotoPaths(paths, library: library)
    let summary = try await run(named, observe) { context, asset, worker in
      PhotoReversion(
        context: context, asset: asset, worker: worker, variant: variant, isWhole: isWhole
      )
      .run()
    }
    let isAllSkipped = summary.counts.keys.allSatisfy { $0 == .skipped }
    if isAllSkipped && summary.isFlawless {
      throw MissingInput(
        "there is nothing to revert" + (summary.absence.map { ": \($0)" } ?? ""),
        hint: "'phbatch history' lists all edits")
    }
    return summary
  }

  /// Writes photos' own settings into their sidecars.
  public func adjust(
    _ paths: [FilePath], library: FilePath? = nil, _ change: AdjustmentChange,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let named = try PhotoPaths(paths, library: library)
    return try await run(named, observe) { context, asset, _ in
      PhotoAdjustment(context: context, asset: asset, change: change).run()
    }
  }

  /// Renames damaged sidecars, so that the next run starts without them.
  public func repair(
    _ paths: [FilePath], library: FilePath? = nil,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let named = try PhotoPaths(paths, library: library)
    return try await run(named, observe) { context, asset, _ in
      PhotoRepair(context: context, asset: asset).run()
    }
  }

  /// Undoes the last command that changed something; of photos and folders in a library, the last
  /// change of each photo.
  ///
  /// With `skipsBlocked`, photos that cannot be undone stay as they are, and the others are undone.
  public func undo(
    _ paths: [FilePath], library: FilePath? = nil, skipsBlocked: Bool = false,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let named = try PhotoPaths(paths, library: library, acceptsNew: true)
    // Checked before the lock is taken: a folder without edits has no place for a lock.
    _ = try LibraryUndo.changes(of: named, paths)
    var options = options
    options.keepsUndoData = skipsBlocked || !named.isWholeLibrary
    let session = try await LibrarySession(changing: named.root, options)
    let undo = try LibraryUndo(
      LibraryUndo.changes(of: named, paths), photos: Set(session.contents.assets.map(\.path)),
      offersSkip: !skipsBlocked)
    return try await work(
      session, observe, only: undo.concerns, undo.missingOutcomes, isAtomic: !skipsBlocked,
      undo.run)
  }

  /// Lists what `undo` would change; writes nothing.
  public func listUndo(
    _ paths: [FilePath], library: FilePath? = nil,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let named = try PhotoPaths(paths, library: library, acceptsNew: true)
    let changes = try LibraryUndo.changes(of: named, paths)
    let session = LibrarySession(reading: named.root, options, nil)
    let undo = LibraryUndo(
      changes, photos: Set(session.contents.assets.map(\.path)), offersSkip: true)
    return try await work(
      session, observe, only: undo.concerns, undo.missingOutcomes, isAtomic: false, undo.plan)
  }

  /// Moves sidecars to the new locations of photos that were moved or renamed.
  public func relink(
    _ library: FilePath, _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let session = try await LibrarySession(
      changing: try OutputRoot(recognizing: library), options)
    let relink = try LibraryRelink(session)
    return try await work(
      session, observe, only: relink.concerns, warnings: relink.warnings
    ) { context, asset, _ in
      relink.run(context, asset)
    }
  }

  private func run(
    _ named: PhotoPaths, _ observe: @escaping @Sendable (RunEvent) -> Void,
    _ body: @escaping @Sendable (EditContext, Asset, WorkerProcess) -> AssetRunner.Result
  ) async throws -> RunSummary {
    try named.root.prepare()
    let session = try await LibrarySession(changing: named.root, options)
    // A missing photo in a named folder is skipped; a missing photo that the user named is
    // reported.
    let missing = session.contents.missingOriginals(of: session.root).filter(named.paths.contains)
    let outcomes = missing.map { AssetOutcome(PhotoPlan(missing: $0)) }
    var summary = try await work(
      session, observe, only: { named.contains($0.path) }, outcomes, body)
    if summary.isEmpty && summary.problems.isEmpty {
      summary.absence = NoPhotos(in: named.root, below: named.paths)
    }
    return summary
  }

  private func work(
    _ opened: LibrarySession, _ observe: @escaping @Sendable (RunEvent) -> Void,
    only isConcerned: (Asset) -> Bool, _ missing: [AssetOutcome] = [],
    warnings: [String] = [], isAtomic: Bool = true,
    _ body: @escaping @Sendable (EditContext, Asset, WorkerProcess) -> AssetRunner.Result
  ) async throws -> RunSummary {
    defer { opened.close() }
    var session = opened
    let originals = session.contents.originals
    session.contents.assets = session.contents.assets.filter(isConcerned)
    let context = session.context(
      options, originals: originals, registry: FileRegistry(of: session.root))
    let recorder = Recorder(
      session.contents, photos: session.contents.assets.count + missing.count, observe)
    for warning in warnings { recorder.record(.warning(warning)) }
    for outcome in missing { recorder.record(.finished(outcome)) }
    let committer = Committer(context.publisher, isAtomic: isAtomic) {
      recorder.record(.finished($0))
    }
    await pool.run(session.contents.assets) { asset, worker in
      switch body(context, asset, worker) {
      case .done(let outcome): recorder.record(.finished(outcome))
      case .prepared(let edit): committer.submit(edit)
      case .cancelled: break
      }
    }
    if pool.isStopped || (isAtomic && !recorder.summary.isFlawless) {
      committer.withdraw()
    } else {
      committer.flush()
    }
    if pool.isStopped { throw CancellationError() }
    return recorder.summary
  }
}
