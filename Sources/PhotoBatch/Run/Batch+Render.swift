import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension Batch {
  /// Renders the photos of a pass.
  ///
  /// Returns true if all photos were processed before the time `end`. Outcomes for which `putsOff`
  /// returns true are not recorded, because the caller renders these photos again. `willPublish`
  /// receives the outcomes of photos right before these are published.
  func render(
    _ context: BatchContext, _ recorder: Recorder, _ end: ContinuousClock.Instant?,
    _ isWanted: @escaping @Sendable () -> Bool,
    putsOff: @escaping @Sendable (AssetOutcome) -> Bool = { _ in false },
    willPublish: @escaping @Sendable ([AssetOutcome]) -> Void = { _ in }
  ) async -> Bool {
    let committer = committer(context.edit.publisher, recorder, putsOff, willPublish)
    let isComplete = await process(context, recorder, committer, end, isWanted)
    // Renditions that were finished before a stop are published, unless the run is atomic.
    let isWhole = !pool.isStopped && recorder.summary.isFlawless
    if options.isAtomic && !isWhole {
      committer.withdraw(isStopped: pool.isStopped)
    } else {
      committer.flush()
    }
    return isComplete
  }

  /// Renders the photos of the part of a library that was read, then those of the other parts, and
  /// saves the index.
  ///
  /// Each part is forgotten before the next is read, so that the memory for photos and sidecars does
  /// not grow with the library. The run is neither atomic nor a round of a watch.
  ///
  /// Returns true if all photos of all parts were processed.
  func renderParts(
    _ session: inout LibrarySession, _ pass: inout BatchPass, _ registry: FileRegistry,
    _ files: NamedFiles, mayDiscard: Bool?
  ) async throws -> Bool {
    let recorder = pass.recorder
    let committer = committer(session.publisher, recorder)
    var index = session.survey.map { IndexInParts($0) }
    while true {
      let isDone = await process(
        context(pass, registry, files, mayDiscard: mayDiscard), recorder, committer, nil, { false })
      // After a stop during the last photos of a part, no other part is read.
      let isComplete = isDone && !pool.isStopped
      committer.flush()
      pass.end()
      pass.forgetPhotos()
      if let survey = session.survey {
        index?.add(survey, recorder.takeLasting(), session.digests)
        if !isComplete || !session.hasMoreParts {
          index?.finish(survey)
          return isComplete
        }
      }
      session.forgetPart()
      session.readNextPart()
      pass = try BatchPass(of: self, over: session, .all, nil, continuing: recorder) { _ in }
      pass.reportKnown()
    }
  }

  private func committer(
    _ publisher: Publisher<RealFileSystem>, _ recorder: Recorder,
    _ putsOff: @escaping @Sendable (AssetOutcome) -> Bool = { _ in false },
    _ willPublish: @escaping @Sendable ([AssetOutcome]) -> Void = { _ in }
  ) -> Committer {
    Committer(publisher, isAtomic: options.isAtomic, willPublish: willPublish) {
      if !putsOff($0) { recorder.record(.finished($0)) }
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
}
