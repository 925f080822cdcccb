import PhotoLibrary
package import PhotoRecipes
public import SystemPackage

/// The commands that change existing edits; each changes all named photos or none.
public final class LibraryEditor: Sendable {
  let options: BatchOptions
  private let pool: WorkerPool

  public init(_ options: BatchOptions = BatchOptions()) {
    var options = options
    options.isAtomic = true
    self.options = options
    pool = WorkerPool(options)
  }

  /// Stops the running command; a commit of files that has already begun is completed.
  public func stop() { pool.stop() }

  /// Reverts the newest adjustment of a stack, or all of them if `isWhole` is true.
  ///
  /// The paths are photos and folders of one library; `variant` names the stack, nil for the main
  /// stack or, unless `isExact` is true, a photo's only stack.
  ///
  /// - Throws: `MissingInput` if no photo has anything to revert.
  public func revert(
    _ paths: [FilePath], library: FilePath? = nil, variant: String?, isWhole: Bool,
    isExact: Bool = false,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let named = try PhotoPaths(paths, library: library)
    let summary = try await run(named, observe) { context, asset, worker in
      PhotoReversion(
        context: context, asset: asset, worker: worker, variant: variant, isWhole: isWhole,
        isExact: isExact
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
    let (named, change) = (try PhotoPaths(paths, library: library), change.withRecipe)
    let checks = SettingsChecks()
    return try await run(named, observe) { context, asset, _ in
      PhotoAdjustment(
        context: context, asset: asset, change: change, checks: checks,
        isNamedAlone: named.found.contains([asset.path])
      )
      .run()
    }
  }

  /// Writes the own settings of photos of one library for one recipe.
  ///
  /// `own` are the photos' new settings and the settings to remove, by the photos' paths from the
  /// library's root; `library` is the library, or the folder of `--output`. A photo that fails does
  /// not prevent the others. All changes together are one step of `undo`.
  package func adjust(
    _ own: [FilePath: (set: [Assignment], unset: [String])], as change: AdjustmentChange,
    library: FilePath, _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let root = try OutputRoot(recognizing: library)
    let session = try await LibrarySession(changing: root, options)
    let missing = session.contents.missingOriginals(of: root).filter { own[$0] != nil }
    let outcomes = missing.map { AssetOutcome(PhotoPlan(missing: $0)) }
    let checks = SettingsChecks()
    let isChanged = { (asset: Asset) in own[asset.path] != nil }
    return try await work(
      session, observe, only: isChanged, outcomes, isAtomic: false,
      mostFiles: OpenFiles.limit(atMost: Self.largestGroup) / 2
    ) { context, asset, _ in
      guard let settings = own[asset.path] else { return .cancelled }
      var change = change
      (change.assignments, change.unset) = (settings.set, settings.unset)
      return PhotoAdjustment(
        context: context, asset: asset, change: change, checks: checks, isNamedAlone: true
      )
      .run()
    }
  }

  /// Twice the number of sidecars that are published together.
  ///
  /// A commit costs as much as a hundred sidecars.
  private static let largestGroup = 4096

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

  /// Moves files that belong to no photo to the trash: renditions without a record, sidecars of
  /// renditions, and sidecars of missing photos with their renditions.
  ///
  /// With `removes` false, only lists the files.
  public func prune(
    _ paths: [FilePath], library: FilePath? = nil, removes: Bool,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let named = try PhotoPaths(paths, library: library, acceptsNew: true, namesFiles: true)
    let session: LibrarySession
    if removes {
      try named.root.prepare()
      session = try await LibrarySession(changing: named.root, options)
    } else {
      session = LibrarySession(reading: named.root, options, nil)
    }
    // If the library's disk is not mounted, all photos seem to be missing, and nothing may be
    // pruned.
    do throws(TooFewPhotos) { try session.checkCount(nil) } catch {
      session.close()
      throw error
    }
    let prune = LibraryPrune(session.contents, named)
    let files: (EditContext) -> [AssetRunner.Result] = { context in
      removes ? prune.remove(context) : prune.list(context)
    }
    var summary = try await work(
      session, observe, only: { _ in false }, files: files, { _, _, _ in .cancelled })
    if summary.isEmpty { summary.absence = .nothingToPrune }
    return summary
  }

  /// Moves sidecars to the new locations of photos that were moved or renamed.
  ///
  /// `path` is the whole library; it must also be `library` if no run has used it yet.
  public func relink(
    _ path: FilePath, library: FilePath? = nil, _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let named = try PhotoPaths([path], library: library)
    guard named.isWholeLibrary else {
      throw MissingInput(
        "'\(path.displayed)' is only a part of a library",
        hint: "name the whole library, or the previous and the new path of a photo or folder")
    }
    try named.root.prepare()
    let session = try await LibrarySession(changing: named.root, options)
    let relink = try LibraryRelink(session)
    var summary = try await work(
      session, observe, only: relink.concerns, warnings: relink.warnings
    ) { context, asset, _ in
      relink.run(context, asset)
    }
    if summary.isEmpty { summary.absence = .nothingToRelink }
    return summary
  }

  /// Moves the sidecars and renditions of photos that the user has moved from `old` to `new`.
  ///
  /// `old` and `new` are two photos or two folders. A dry run only lists the files.
  public func relink(
    from old: FilePath, to new: FilePath, library: FilePath? = nil, isDryRun: Bool,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let place = try PhotoPaths([new], library: library, namesFiles: true)
    if !isDryRun { try place.root.prepare() }
    let session =
      isDryRun
      ? LibrarySession(reading: place.root, options, nil)
      : try await LibrarySession(changing: place.root, options)
    let paths = ListedPaths(library: place.root.library, known: session.contents.sidecars)
    let relink: LibraryRelink
    do {
      // The old path no longer exists. If it is relative, it may start at the working directory or
      // at the library's root.
      let whole = old.isAbsolute ? old : try FilePath(".").canonical().pushing(old)
      guard let previous = paths.path(whole) ?? paths.path(old) else {
        throw MissingInput(
          "'\(old.displayed)' is not in the library '\(place.root.library.path.displayed)'",
          hint: "a photo keeps its edits only within one library")
      }
      relink = LibraryRelink(
        try NamedRelink(from: previous, to: place.paths[0], in: session), session)
    } catch {
      session.close()
      throw error
    }
    return try await work(
      session, observe, only: relink.concerns, warnings: relink.warnings, isAtomic: !isDryRun
    ) { context, asset, _ in
      isDryRun ? .done(relink.plan(asset)) : relink.run(context, asset)
    }
  }

  private func run(
    _ named: PhotoPaths, _ observe: @escaping @Sendable (RunEvent) -> Void,
    _ body: @escaping @Sendable (EditContext, Asset, WorkerProcess) -> AssetRunner.Result
  ) async throws -> RunSummary {
    try named.root.prepare()
    var session = try await LibrarySession(changing: named.root, options)
    session.contents.problems.removeAll { !named.isAffected(by: $0) }
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

  func work(
    _ opened: LibrarySession, _ observe: @escaping @Sendable (RunEvent) -> Void,
    only isConcerned: (Asset) -> Bool, _ missing: [AssetOutcome] = [],
    warnings: [String] = [], isAtomic: Bool = true, mostFiles: Int = 128,
    files: (EditContext) -> [AssetRunner.Result] = { _ in [] },
    _ body: @escaping @Sendable (EditContext, Asset, WorkerProcess) -> AssetRunner.Result
  ) async throws -> RunSummary {
    defer { opened.close() }
    var session = opened
    let originals = session.contents.originals
    let films = session.contents.assets.filter(\.file.isPairedFilm)
    session.contents.assets = session.contents.assets.filter(isConcerned)
    let context = session.context(
      options, originals: originals, films: films, registry: FileRegistry(of: session.root))
    let results = files(context)
    let recorder = Recorder(
      session.contents, photos: session.contents.assets.count + missing.count + results.count,
      observe)
    for warning in warnings { recorder.record(.warning(warning)) }
    for outcome in missing { recorder.record(.finished(outcome)) }
    let committer = Committer(context.publisher, isAtomic: isAtomic, mostFiles: mostFiles) {
      recorder.record(.finished($0))
    }
    let take: @Sendable (AssetRunner.Result) -> Void = { result in
      switch result {
      case .done(let outcome): recorder.record(.finished(outcome))
      case .prepared(let edit): committer.submit(edit)
      case .cancelled: break
      }
    }
    for result in results { take(result) }
    await pool.run(session.contents.assets) { asset, worker in take(body(context, asset, worker)) }
    if pool.isStopped || (isAtomic && !recorder.summary.isFlawless) {
      committer.withdraw(isStopped: pool.isStopped)
    } else {
      committer.flush()
    }
    if pool.isStopped { throw CancellationError() }
    return recorder.summary
  }
}
