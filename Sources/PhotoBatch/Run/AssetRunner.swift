import PhotoLibrary
import PhotoRecipes

/// Plans and carries out the edit of one photo, on a worker thread.
struct AssetRunner {
  let context: BatchContext
  let asset: Asset
  let worker: WorkerProcess

  /// The result of planning and rendering one photo.
  enum Result {
    case done(AssetOutcome)
    /// The photo's files are ready to be published, in one commit with the files of other photos.
    case prepared(PreparedEdit)
    /// The run is being stopped, so the photo was not processed and is not counted.
    case cancelled
  }

  func run() -> Result {
    do throws(PhotoFailure) {
      let planner = PhotoPlanner(context: context, asset: asset, worker: worker)
      let (plan, edit) = try planner.plan()
      guard let edit, plan.isDue else { return .done(AssetOutcome(plan)) }
      return .prepared(try carryOut(plan, edit))
    } catch {
      return error.isCancelled ? .cancelled : .done(AssetOutcome(PhotoPlan(asset.path, error)))
    }
  }

  private func carryOut(
    _ plan: PhotoPlan, _ planned: PlannedEdit
  ) throws(PhotoFailure) -> PreparedEdit {
    switch planned.decision {
    case .nothing:
      guard let (sidecar, identity) = planned.adopted else {
        throw PhotoFailure(.skipped, "nothing to do")
      }
      let commit = SidecarCommit(context: context.edit, original: asset.path)
      return try commit.prepare(sidecar, replacing: identity, plan.outcome)
    case .render(let edit):
      try context.edit.options.refuse(plan.warnings)
      let digest =
        if let known = planned.digest { known } else { try digest(of: planned.photo) }
      let editor = StackEditor(
        context: context.edit, asset: asset, worker: worker, state: planned.state,
        photo: planned.photo, digest: digest)
      var prepared = try editor.carryOut(edit, planned.edit, warnings: plan.warnings)
      let details = [plan.detail, prepared.outcome.detail].compactMap(\.self)
      prepared.outcome.detail = details.isEmpty ? nil : details.joined(separator: "; ")
      prepared.outcome.plan = plan
      return prepared
    }
  }

  private func digest(of photo: OpenFile) throws(PhotoFailure) -> Digest {
    try PhotoFailure.attempt {
      try context.edit.digests.digest(
        of: photo, at: asset.path, .library, in: context.root.library)
    }
  }
}
