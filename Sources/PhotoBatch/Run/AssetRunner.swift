import Glibc
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Decides on one photo and does what was decided, on the thread of its lane.
struct AssetRunner {
  let context: BatchContext
  let asset: Asset
  let worker: WorkerProcess

  /// Nil when the run is being stopped.
  func run() -> AssetOutcome? {
    do throws(PhotoFailure) { return try outcome() } catch {
      if error.isCancelled { return nil }
      var outcome = AssetOutcome(asset.path, error.reason, error.detail, hint: error.hint)
      outcome.systemCode = error.code
      return outcome
    }
  }

  private func outcome() throws(PhotoFailure) -> AssetOutcome {
    if !context.recipe.selection.matches(path: asset.path.bytes) {
      return AssetOutcome(asset.path, .notSelected)
    }
    if let original = context.contents.possibleOriginal(of: asset) {
      return AssetOutcome(
        asset.path, .corruptSidecar,
        "it may be a rendition of '\(original.displayed)', whose sidecar cannot be used",
        hint: "mend that sidecar")
    }
    let photo = try attempt { try context.root.library.open(asset.path) }
    switch try attempt({ try FileKind(of: photo, named: asset.file.name, in: context.root.library) }
    )
    {
    case .notPhoto: return AssetOutcome(asset.path, .notSelected, "not a photo")
    case .unsupported(let format):
      return AssetOutcome(asset.path, .unsupportedFormat, "\(format.rawValue)")
    case .unreadable(let claimed):
      let detail = "its name says \(claimed.rawValue), its bytes do not"
      return AssetOutcome(asset.path, .unreadable, detail, hint: "open it in a viewer")
    case .photo(let format): return try outcome(photo, format)
    }
  }

  private func outcome(
    _ photo: OpenFile, _ format: PhotoFormat
  ) throws(PhotoFailure) -> AssetOutcome {
    if asset.file.name.bytes.count > Sidecar.longestName {
      throw PhotoFailure(
        .nameTooLong, "there is no room for a sidecar's name",
        hint: "rename the photo to \(Sidecar.longestName) bytes or fewer")
    }
    let sidecar = try usableSidecar()
    if let unmet = try unmetCondition(photo, format, sidecar) {
      return AssetOutcome(asset.path, .notSelected, "\(unmet)")
    }
    let (recipe, unused) = try personalRecipe(sidecar)
    let digest = try attempt { try Digest(of: photo, in: context.root.library) }
    let state = StackState(asset.path, sidecar, recipe, context)
    var facts = state.facts(original: digest)
    facts.settings = context.settingsDigest(of: recipe)
    var outcome: AssetOutcome
    switch EditDecision(facts) {
    case .nothing(let reason, let detail):
      outcome = AssetOutcome(asset.path, reason, detail)
    case .render(let base, let effect, let note):
      if effect == .replacedStack && state.losesPersonalEdits && !context.options.mayDiscard {
        throw PhotoFailure(
          .modified, "edits by other recipes or by hand would be dropped",
          hint: "say --yes to drop them")
      }
      outcome = AssetOutcome(asset.path, .rendered)
      if context.options.isDryRun {
        outcome.isDue = true
      } else {
        let job = RenderJob(
          recipe: recipe, settings: facts.settings, base: base, effect: effect, state: state,
          photo: photo, digest: digest)
        outcome = try render(job)
      }
      outcome.warnings += note.map { [$0] } ?? []
    }
    outcome.warnings += unused.map { "the photo's own setting '\($0.key)' has no step any more" }
    return outcome
  }

  private func usableSidecar() throws(PhotoFailure) -> (Sidecar, FileIdentity)? {
    switch context.contents.sidecars[asset.path] {
    case nil: return nil
    case .usable(let sidecar, let identity): return (sidecar, identity)
    case .unusable(let reason, let error):
      throw PhotoFailure(reason, error.message, hint: error.hint)
    }
  }

  /// The first condition of the recipe that the photo does not fulfil.
  private func unmetCondition(
    _ photo: OpenFile, _ format: PhotoFormat, _ sidecar: (Sidecar, FileIdentity)?
  ) throws(PhotoFailure) -> Condition? {
    let selection = context.recipe.selection
    if selection.conditions.isEmpty { return nil }
    var facts = PhotoFacts(
      size: nil, bytes: Int(asset.file.status.identity.size), format: format.rawValue,
      date: "\(CivilTime(nanoseconds: asset.file.status.identity.modified))")
    if selection.needsHeader {
      let renderer = JobRenderer(context: context, asset: asset, worker: worker)
      guard let summary = try renderer.probe(photo) else { return nil }
      facts.size = summary.size
      facts.date = summary.captureDate ?? facts.date
    }
    return selection.firstUnmet(by: facts)
  }

  /// The recipe with the photo's own settings, and those of them that it has no place for.
  private func personalRecipe(
    _ sidecar: (Sidecar, FileIdentity)?
  ) throws(PhotoFailure) -> (Recipe, [Assignment]) {
    let own = sidecar?.0.stack(context.recipe.variant).map(\.adjustment).last { adjustment in
      adjustment.version.map { context.recipe.canHandle(adjustment.formatIdentifier, $0) } ?? false
    }
    let overrides = own?.overrides.members ?? []
    if overrides.isEmpty { return (context.recipe, []) }
    let personal: (recipe: Recipe, unused: [Assignment])
    do throws(InvalidDocument) {
      personal = try context.document.recipe(
        overrides: overrides.map { Assignment(key: $0.key, value: $0.value) },
        assignments: context.options.assignments)
    } catch {
      throw PhotoFailure(
        .corruptSidecar, "the photo's own settings are invalid\n\(error.message)",
        hint: "mend 'overrides' in its sidecar")
    }
    // Whoever allowed the recipe's programs has not seen the photo's own.
    let known = context.recipe.externalSteps.map(\.step)
    for (id, step) in personal.recipe.externalSteps where !known.contains(step) {
      throw PhotoFailure(
        .corruptSidecar, "the photo's own settings change the program of '\(id)'",
        hint: "remove them from 'overrides' in its sidecar")
    }
    return personal
  }

  private func render(_ job: RenderJob) throws(PhotoFailure) -> AssetOutcome {
    let base = try open(job)
    let renderer = JobRenderer(context: context, asset: asset, worker: worker)
    let rendered = try renderer.render(
      job.recipe, from: base, files: context.files.entries.mapValues(\.file))
    do throws(PhotoFailure) {
      let after = try attempt { try context.root.library.status(of: job.photo).identity }
      let now = try attempt { try context.root.library.status(at: asset.path)?.identity }
      if after != asset.file.status.identity || now != after {
        throw PhotoFailure(.unreadable, "the photo changed while it was read", hint: "run again")
      }
      let commit = Commit(
        context: context, asset: asset, job: job, summary: rendered.summary,
        sizes: rendered.sizes, staged: rendered.staged, libvips: rendered.libvips)
      var outcome = try publish(commit)
      outcome.warnings += rendered.warnings
      return outcome
    } catch {
      context.discard(rendered.staged)
      throw error
    }
  }

  private func publish(_ commit: Commit) throws(PhotoFailure) -> AssetOutcome {
    do { return try commit.publish() } catch let refusal as Commit.Refusal {
      throw PhotoFailure(refusal.reason, refusal.detail, hint: refusal.hint)
    } catch { throw PhotoFailure(error) }
  }

  /// The file that the edit starts from.
  private func open(_ job: RenderJob) throws(PhotoFailure) -> OpenFile {
    guard case .rendition(let name, let sha256) = job.base else { return job.photo }
    let files = job.state.baseFiles
    guard let path = name.path(besides: asset.path),
      let status = try attempt({ try files.status(at: path) }), status.kind == .regular
    else {
      throw PhotoFailure(
        .baseMissing, "'\(name.text)', which it starts from, is gone",
        hint: "run the recipe that made it again")
    }
    let file = try attempt { try files.open(path) }
    let digest = try attempt { try Digest(of: file, in: files) }
    if "\(digest)" != sha256 {
      throw PhotoFailure(
        .modified, "'\(name.text)', which it starts from, was changed by hand",
        hint: "restore it, or run its recipe with --on-modified overwrite")
    }
    return file
  }

  private func attempt<Result>(_ body: () throws -> Result) throws(PhotoFailure) -> Result {
    try PhotoFailure.attempt(body)
  }
}
