import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// A command that changes the edits of photos that are there: all of them, or none.
public final class LibraryEditing: Sendable {
  private let options: BatchOptions
  private let crew: Crew

  public init(_ options: BatchOptions = BatchOptions()) {
    var options = options
    options.isAtomic = true
    self.options = options
    crew = Crew(options)
  }

  /// Ends the command as soon as what is being published is whole.
  public func stop() { crew.stop() }

  /// Takes back the newest adjustment of a stack, or, if `isWhole`, all of them.
  ///
  /// The paths are photos and folders of one library; `variant` is the stack, nil the main one.
  public func revert(
    _ paths: [FilePath], library: FilePath? = nil, variant: String?, isWhole: Bool,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let named = try PhotoPaths(paths, library: library)
    return try await run(named, observe) { context, asset, worker in
      Reverting(context: context, asset: asset, worker: worker, variant: variant, isWhole: isWhole)
        .run()
    }
  }

  /// Writes settings of their own into the sidecars of photos.
  public func adjust(
    _ paths: [FilePath], library: FilePath? = nil, _ change: AdjustmentChange,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let named = try PhotoPaths(paths, library: library)
    return try await run(named, observe) { context, asset, _ in
      Adjusting(context: context, asset: asset, change: change).run()
    }
  }

  /// Sets damaged sidecars aside.
  public func repair(
    _ paths: [FilePath], library: FilePath? = nil,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let named = try PhotoPaths(paths, library: library)
    return try await run(named, observe) { context, asset, _ in
      Repairing(context: context, asset: asset).run()
    }
  }

  /// Takes back what the last command changed.
  public func undo(
    _ library: FilePath, _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let root = try OutputRoot(recognizing: library)
    // Before the lock, for which a folder without edits has no place.
    _ = try lastRun(in: root.files, of: library)
    let session = try await LibrarySession(changing: root, options)
    let last = try lastRun(in: root.files, of: library)
    let undoing = Undoing(last, photos: Set(session.contents.assets.map(\.path)))
    let missing = undoing.missing.map { AssetOutcome(PhotoPlan(missing: $0)) }
    return try await work(session, observe, only: undoing.concerns, missing, undoing.run)
  }

  private func lastRun(
    in files: some FileSystem, of library: FilePath
  ) throws -> TrashedRun {
    guard let last = try Trash.lastRun(in: files) else {
      throw MissingInput(
        "there is nothing to undo in '\(library.displayed)'",
        hint: "only the last command that changed something can be taken back")
    }
    return last
  }

  /// Gives the sidecars of photos that were moved or renamed their places beside them.
  public func relink(
    _ library: FilePath, _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let session = try await LibrarySession(
      changing: try OutputRoot(recognizing: library), options)
    let relinking = try Relinking(session)
    return try await work(
      session, observe, only: relinking.concerns, warnings: relinking.warnings
    ) { context, asset, _ in
      relinking.run(context, asset)
    }
  }

  private func run(
    _ named: PhotoPaths, _ observe: @escaping @Sendable (RunEvent) -> Void,
    _ body: @escaping @Sendable (EditContext, Asset, WorkerProcess) -> AssetRunner.Result
  ) async throws -> RunSummary {
    try named.root.prepare()
    let session = try await LibrarySession(changing: named.root, options)
    // A folder goes without those; who names one is told.
    let missing = session.contents.missingOriginals(of: session.root).filter(named.paths.contains)
    let outcomes = missing.map { AssetOutcome(PhotoPlan(missing: $0)) }
    return try await work(
      session, observe, only: { named.contains($0.path) }, outcomes, body)
  }

  private func work(
    _ opened: LibrarySession, _ observe: @escaping @Sendable (RunEvent) -> Void,
    only isConcerned: (Asset) -> Bool, _ missing: [AssetOutcome] = [],
    warnings: [String] = [],
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
    let committer = Committer(context.publisher, isAtomic: true) {
      recorder.record(.finished($0))
    }
    await crew.run(session.contents.assets) { asset, worker in
      switch body(context, asset, worker) {
      case .done(let outcome): recorder.record(.finished(outcome))
      case .prepared(let edit): committer.submit(edit)
      case .cancelled: break
      }
    }
    if crew.isStopped || !recorder.summary.isFlawless {
      committer.withdraw()
    } else {
      committer.flush()
    }
    if crew.isStopped { throw CancellationError() }
    return recorder.summary
  }
}
