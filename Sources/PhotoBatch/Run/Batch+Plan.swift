import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension Batch {
  /// Plans a run and writes nothing, for `--dry-run` and `--check`.
  ///
  /// - Parameter observe: Receives each photo with its plan, in the order of paths, on any thread,
  ///   one call at a time.
  /// - Returns: The summary; photos that would be rendered count as due.
  /// - Throws: The error that ended the command before its first photo, or `CancellationError`.
  public func plan(_ observe: @escaping @Sendable (RunEvent) -> Void) async throws -> RunSummary {
    try await LibraryThread.run {
      try await self.plan(withAlternatives: false, around: nil, observe)
    }
  }

  /// Plans a run; with `withAlternatives`, each plan also has the plans under other values of
  /// `--previous`.
  ///
  /// `folders` are the folders of the photos of interest; nil for all photos of the library.
  func plan(
    withAlternatives: Bool = false, around folders: Set<FilePath>?,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let files = try await pool.open(recipe, document, options)
    try checkLibrary()
    let (choice, warning) = try await choice(files)
    // The index has outcomes for one value of `--previous` only, so a plan with alternatives does
    // not use it.
    let session = try readingSession(
      choice.isAll && !withAlternatives ? view(files) : nil, around: folders)
    try checkStop()
    if folders == nil {
      try session.root.checkJournals()
      try session.checkCount(options.leastPhotos)
    }
    let pass = try BatchPass(of: self, over: session, choice, nil, observe)
    for commit in session.root.unfinishedCommits {
      pass.recorder.noteUnfinishedCommit(commit.text)
    }
    let border = LibraryBorders.warning(beforeRunOver: library, options.output)
    for text in [warning, border].compactMap(\.self) + LibraryBorders.warnings(of: session.survey) {
      pass.recorder.record(.warning(text))
    }
    let registry = FileRegistry(of: session.root, adding: files)
    let context = context(pass, registry, files)
    let photos = pass.session.contents.assets.sorted { OrderedRelease.precedes($0.path, $1.path) }
    if !photos.isEmpty { pool.makeRoom(photos: photos.count) }
    let release = OrderedRelease(known: pass.known + pass.leftPlans) { pass.recorder.record($0) }
    await pool.run(Array(photos.indices)) { index, worker in
      let asset = photos[index]
      pass.recorder.record(.started(asset.path))
      let planner = PhotoPlanner(context: context, asset: asset, worker: worker)
      do throws(PhotoFailure) {
        let plan = withAlternatives ? try planner.planWithAlternatives() : try planner.plan().plan
        release.add(plan.outcome, at: index)
      } catch {
        if error.isCancelled { return }
        release.add(AssetOutcome(PhotoPlan(asset.path, error)), at: index)
      }
    }
    release.end()
    if pool.isStopped { throw CancellationError() }
    if folders == nil { checkWebSets(in: session.root, pass.recorder) }
    return pass.summary(choice)
  }
}
