import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension Batch {
  /// Renders the photos of a pass.
  ///
  /// Returns true if all photos were processed before the time `end`. `willPublish` receives the
  /// outcomes of photos right before these are published.
  func render(
    _ context: BatchContext, _ recorder: Recorder, _ end: ContinuousClock.Instant?,
    _ isWanted: @escaping @Sendable () -> Bool,
    willPublish: @escaping @Sendable ([AssetOutcome]) -> Void = { _ in }
  ) async -> Bool {
    let committer = committer(context, recorder, willPublish: willPublish)
    let isComplete = await process(context, recorder, committer, end, isWanted)
    close(committer, recorder)
    return isComplete
  }

  /// Renders the photos of the first pass over a part of the library, then those of the other parts.
  ///
  /// What the run knows of a part is forgotten before the next part is read, so that the memory does
  /// not grow with the library. Saves the index.
  ///
  /// Returns true if all photos of all parts were processed before the time `end`.
  func renderParts(
    _ session: inout LibrarySession, _ pass: inout BatchPass, _ context: inout BatchContext,
    _ share: BatchShare, _ end: ContinuousClock.Instant?,
    _ isWanted: @escaping @Sendable () -> Bool
  ) async throws -> Bool {
    let recorder = pass.recorder
    let committer = committer(context, recorder)
    var index = session.survey.map { IndexInParts($0) }
    var hasBegun = false
    var isComplete = true
    while true {
      hasBegun = hasBegun || !context.contents.assets.isEmpty
      isComplete = await process(context, recorder, committer, end, isWanted)
      if !options.isAtomic { committer.flush() }
      pass.end()
      if let survey = session.survey {
        index?.add(survey, recorder.takeLasting(), session.digests)
        session.digests.forget()
      }
      guard isComplete, session.hasMoreParts else { break }
      // A run makes progress, even if other commands wait for the library.
      isComplete = !pool.isStopped && end.map { .now < $0 } ?? true && !(hasBegun && isWanted())
      guard isComplete else { break }
      session.readNextPart()
      pass = try BatchPass(
        of: self, over: session, .all, share.choose, continuing: recorder, { _ in })
      pass.reportKnown()
      context.edit = edit(
        pass, context.edit.registry, mayDiscard: share.mayDiscard, failures: context.edit.failures)
    }
    close(committer, recorder)
    if let survey = session.survey { index?.finish(survey) }
    return isComplete
  }

  private func committer(
    _ context: BatchContext, _ recorder: Recorder,
    willPublish: @escaping @Sendable ([AssetOutcome]) -> Void = { _ in }
  ) -> Committer {
    Committer(context.edit.publisher, isAtomic: options.isAtomic, willPublish: willPublish) {
      recorder.record(.finished($0))
    }
  }

  /// Plans and renders photos, whose files the committer publishes.
  private func process(
    _ context: BatchContext, _ recorder: Recorder, _ committer: Committer,
    _ end: ContinuousClock.Instant?, _ isWanted: @escaping @Sendable () -> Bool
  ) async -> Bool {
    var context = context
    context.edit.report = { recorder.record($0) }
    let edits = context
    if !context.contents.assets.isEmpty { pool.makeRoom(photos: context.contents.assets.count) }
    return await pool.run(
      context.contents.assets, until: end, givingWay: isWanted
    ) { asset, worker in
      recorder.record(.started(asset.path))
      let runner = AssetRunner(context: edits, asset: asset, worker: worker)
      switch runner.run() {
      case .done(let outcome): recorder.record(.finished(outcome))
      case .prepared(let edit): committer.submit(edit)
      case .cancelled: break
      }
    }
  }

  private func close(_ committer: Committer, _ recorder: Recorder) {
    // Renditions that were finished before a stop are published, unless the run is atomic.
    let isWhole = !pool.isStopped && !recorder.hasFlaw
    if options.isAtomic && !isWhole {
      committer.withdraw(isStopped: pool.isStopped)
    } else {
      committer.flush()
    }
  }
}
