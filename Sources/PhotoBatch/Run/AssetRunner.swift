import Glibc
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Decides on one photo and does what was decided, on the thread of its lane.
struct AssetRunner {
  let context: BatchContext
  let asset: Asset
  let worker: WorkerProcess

  /// What ends the work on one photo.
  private struct Stop: Error {
    var reason: Reason
    var detail: String?
    var hint: String?
    var code: ExitCode?
    /// The run is being stopped: the photo counts for nothing.
    var isCancelled = false

    /// A photo that is gone is its own failure; what else the system refuses decides on the exit code.
    mutating func take(_ failure: FileSystemError) {
      switch (failure.errno, failure.call) {
      case (.noSuchFileOrDirectory, _): reason = .fileMissing
      case (_, .open), (_, .read), (_, .describe), (_, .list): code = ExitCode(failure.errno)
      default: (reason, code) = (.encodeFailed, ExitCode(failure.errno))
      }
    }
  }

  /// Nil when the run is being stopped.
  func run() -> AssetOutcome? {
    do throws(Stop) { return try outcome() } catch {
      if error.isCancelled { return nil }
      var outcome = AssetOutcome(asset.path, error.reason, error.detail, hint: error.hint)
      outcome.systemCode = error.code
      return outcome
    }
  }

  private func outcome() throws(Stop) -> AssetOutcome {
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

  private func outcome(_ photo: OpenFile, _ format: PhotoFormat) throws(Stop) -> AssetOutcome {
    if asset.file.name.bytes.count > Sidecar.longestName {
      throw Stop(
        reason: .nameTooLong, detail: "there is no room for a sidecar's name",
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
        throw Stop(
          reason: .modified, detail: "edits by other recipes or by hand would be dropped",
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

  private func usableSidecar() throws(Stop) -> (Sidecar, FileIdentity)? {
    switch context.contents.sidecars[asset.path] {
    case nil: return nil
    case .usable(let sidecar, let identity): return (sidecar, identity)
    case .unusable(let reason, let error):
      throw Stop(reason: reason, detail: error.message, hint: error.hint)
    }
  }

  /// The first condition of the recipe that the photo does not fulfil.
  private func unmetCondition(
    _ photo: OpenFile, _ format: PhotoFormat, _ sidecar: (Sidecar, FileIdentity)?
  ) throws(Stop) -> Condition? {
    let selection = context.recipe.selection
    if selection.conditions.isEmpty { return nil }
    var facts = PhotoFacts(
      size: nil, bytes: Int(asset.file.status.identity.size), format: format.rawValue,
      date: "\(CivilTime(nanoseconds: asset.file.status.identity.modified))")
    if selection.needsHeader {
      guard case .probed(let summary) = try ask(.probe, [photo]) else { return nil }
      facts.size = summary.size
      facts.date = summary.captureDate ?? facts.date
    }
    return selection.firstUnmet(by: facts)
  }

  /// The recipe with the photo's own settings, and those of them that it has no place for.
  private func personalRecipe(
    _ sidecar: (Sidecar, FileIdentity)?
  ) throws(Stop) -> (Recipe, [Assignment]) {
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
      throw Stop(
        reason: .corruptSidecar, detail: "the photo's own settings are invalid\n\(error.message)",
        hint: "mend 'overrides' in its sidecar")
    }
    // Whoever allowed the recipe's programs has not seen the photo's own.
    let known = context.recipe.externalSteps.map(\.step)
    for (id, step) in personal.recipe.externalSteps where !known.contains(step) {
      throw Stop(
        reason: .corruptSidecar, detail: "the photo's own settings change the program of '\(id)'",
        hint: "remove them from 'overrides' in its sidecar")
    }
    return personal
  }

  private func render(_ job: RenderJob) throws(Stop) -> AssetOutcome {
    let base = try open(job)
    var staged: [StagedFile<OpenFile>] = []
    do throws(Stop) {
      let folder = asset.path.removingLastComponent()
      for _ in job.recipe.outputs {
        staged.append(try attempt { try context.publisher.stage(in: folder) })
      }
      let (summary, sizes, warnings) = try rendered(job, base, staged)
      let after = try attempt { try context.root.library.status(of: job.photo).identity }
      let now = try attempt { try context.root.library.status(at: asset.path)?.identity }
      if after != asset.file.status.identity || now != after {
        throw Stop(
          reason: .unreadable, detail: "the photo changed while it was read", hint: "run again")
      }
      let libvips = try workerVersion()
      let commit = Commit(
        context: context, asset: asset, job: job, summary: summary, sizes: sizes, staged: staged,
        libvips: libvips)
      var outcome = try publish(commit)
      outcome.warnings += warnings
      return outcome
    } catch {
      // What cannot be removed now is removed by a later run.
      for file in staged { try? context.publisher.discard(file) }
      throw error
    }
  }

  private func publish(_ commit: Commit) throws(Stop) -> AssetOutcome {
    do { return try commit.publish() } catch let refusal as Commit.Refusal {
      throw Stop(reason: refusal.reason, detail: refusal.detail, hint: refusal.hint)
    } catch { throw stop(error) }
  }

  /// The file that the edit starts from.
  private func open(_ job: RenderJob) throws(Stop) -> OpenFile {
    guard case .rendition(let name, let sha256) = job.base else { return job.photo }
    let files = job.state.baseFiles
    guard let path = name.path(besides: asset.path),
      let status = try attempt({ try files.status(at: path) }), status.kind == .regular
    else {
      throw Stop(
        reason: .baseMissing, detail: "'\(name.text)', which it starts from, is gone",
        hint: "run the recipe that made it again")
    }
    let file = try attempt { try files.open(path) }
    let digest = try attempt { try Digest(of: file, in: files) }
    if "\(digest)" != sha256 {
      throw Stop(
        reason: .modified, detail: "'\(name.text)', which it starts from, was changed by hand",
        hint: "restore it, or run its recipe with --on-modified overwrite")
    }
    return file
  }

  private func rendered(
    _ job: RenderJob, _ base: OpenFile, _ staged: [StagedFile<OpenFile>]
  ) throws(Stop) -> (PhotoSummary, [RenditionSize], [String]) {
    let named = context.files.entries.sorted { $0.key < $1.key }
    var order = WorkOrder(recipe: job.recipe)
    order.files = named.map(\.key)
    order.targets = job.recipe.outputs.map(\.name)
    order.values = context.textValues(of: job.recipe, asset)
    order.allowsExternal = context.options.allowsExternal
    order.pixelLimit = context.options.pixelLimit
    let files = [base] + named.map(\.value.file) + staged.map(\.file)
    let reply: WorkerReply
    do throws(Stop) { reply = try ask(.render(order), files) } catch {
      if let file = staged.first { try checkRoom(for: file) }
      throw error
    }
    guard case .rendered(let summary, let sizes, let warnings) = reply, sizes.count == staged.count
    else { throw Stop(reason: .decoderCrash, detail: "the worker gave no renditions") }
    return (summary, sizes, warnings)
  }

  /// Writes a little more after a rendering that failed: the worker cannot tell a full disk from a
  /// photo that it cannot read.
  private func checkRoom(for staged: StagedFile<OpenFile>) throws(Stop) {
    let some = [UInt8](repeating: 0, count: 1 << 16)
    try attempt { try context.root.files.write(some, to: staged.file) }
  }

  private func workerVersion() throws(Stop) -> String {
    do throws(WorkerProcess.Failure) { return try worker.libvips() } catch { throw stop(error) }
  }

  private func ask(
    _ request: WorkerRequest, _ files: [OpenFile]
  ) throws(Stop) -> WorkerReply {
    do throws(WorkerProcess.Failure) {
      return try OpenFile.withDescriptors(of: files) { descriptors throws(WorkerProcess.Failure) in
        try worker.ask(request, descriptors: descriptors, time: context.options.timeout)
      }
    } catch { throw stop(error) }
  }

  private func stop(_ failure: WorkerProcess.Failure) -> Stop {
    switch failure {
    case .refused(let reason, let message, let hint):
      Stop(reason: reason, detail: message, hint: hint)
    case .crashed(let end):
      Stop(
        reason: .decoderCrash, detail: "the decoder crashed: \(end)",
        hint: "the file may be hostile")
    case .timedOut(let time):
      Stop(
        reason: .timeout, detail: "it took more than \(time.components.seconds) seconds",
        hint: "raise it with --timeout")
    case .stopped: Stop(reason: .skipped, isCancelled: true)
    case .cannotStart(let errno):
      Stop(
        reason: .decoderCrash, detail: "no worker could be started: \(errno)",
        code: ExitCode(errno))
    }
  }

  private func attempt<Result>(_ body: () throws -> Result) throws(Stop) -> Result {
    do { return try body() } catch { throw stop(error) }
  }

  /// The reason for an error of the file system.
  private func stop(_ error: any Error) -> Stop {
    let known = error as? any UserError
    var stop = Stop(reason: .unreadable, detail: known?.message ?? "\(error)", hint: known?.hint)
    switch error {
    case PublishingError.conflict: stop.reason = .modified
    case PublishingError.failed(let failure), PublishingError.unfinished(let failure):
      stop.take(failure)
    case let failure as FileSystemError: stop.take(failure)
    default: break
    }
    return stop
  }
}
