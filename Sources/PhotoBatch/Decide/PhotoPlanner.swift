import Glibc
import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Decides what a run does to one photo; changes nothing.
struct PhotoPlanner {
  var context: BatchContext
  let asset: Asset
  /// Reads the photo's header if the recipe's conditions need it.
  let worker: WorkerProcess

  /// Plans the photo; `edit` is nil for photos that are not opened or do not match the recipe's
  /// conditions.
  ///
  /// - Throws: The failure that prevents planning; `PhotoPlan` can be made from it.
  func plan() throws(PhotoFailure) -> (plan: PhotoPlan, edit: PlannedEdit?) {
    if !context.recipe.selection.matches(path: asset.path.bytes) {
      return (leave(.notSelected).lasting, nil)
    }
    if let original = context.contents.possibleOriginal(of: asset) {
      return (unclaimed(besides: original), nil)
    }
    let photo = try attempt { try context.root.library.open(asset.path) }
    let kind = try attempt {
      try FileKind(of: photo, named: asset.file.name, in: context.root.library)
    }
    if let format = kind.format, context.recipe.inputs.allows(format) {
      return try plan(photo, format)
    }
    switch kind {
    case .notPhoto: return (leave(.notSelected, "not a photo").lasting, nil)
    case .photo(let format), .unsupported(let format):
      return (leave(.unsupportedFormat, format.title, hint: format.remedy).lasting, nil)
    case .unreadable(let claimed, let found):
      let detail =
        "it is named like \(claimed.title), but it contains "
        + (found?.title ?? "an unknown file format")
      let remedy = found?.remedy ?? "open it in an image viewer to check it"
      return (leave(.unreadable, detail, hint: remedy).lasting, nil)
    }
  }

  private func leave(_ reason: Reason, _ detail: String? = nil, hint: String? = nil) -> PhotoPlan {
    PhotoPlan(asset.path, .leave(reason), detail, hint: hint)
  }

  /// The plan for a file that may be a rendition of `original`, whose sidecar cannot be read.
  private func unclaimed(besides original: FilePath) -> PhotoPlan {
    let isSetAside = context.contents.sidecars[original]?.sidecar != nil
    return leave(
      .corruptSidecar,
      "it may be a rendition of '\(original.displayed)', whose sidecar "
        + (isSetAside ? "was renamed by 'repair'" : "cannot be used"),
      hint: isSetAside
        ? "if it is, move it away; if it is a photo, remove the sidecar that ends with '.damaged'"
        : "repair that sidecar, or rename it with 'phbatch repair'")
  }

  private func plan(
    _ photo: OpenFile, _ format: InputFormat
  ) throws(PhotoFailure) -> (plan: PhotoPlan, edit: PlannedEdit?) {
    if asset.file.name.bytes.count > Sidecar.longestName {
      throw PhotoFailure(
        .nameTooLong, "the photo's name is too long for a sidecar's name",
        hint: "rename the photo to \(Sidecar.longestName) bytes or fewer")
    }
    let recorded = try context.contents.usableSidecar(of: asset)
    if let unmet = try unmetCondition(photo, format, recorded) {
      return (leave(.notSelected, "\(unmet)").lasting, nil)
    }
    let foreign = try ForeignEdits(
      of: asset, in: context.contents, context.root.library, context.edit.digests,
      date: context.edit.date)
    let adopted = try adopted(recorded)
    let sidecar = adopted ?? recorded
    let digest = try sidecar.map { _ throws(PhotoFailure) in try self.digest(of: photo) }
    let state = StackState(asset.path, sidecar, context.recipe, foreign: foreign, context.edit)
    var personal = try personalRecipe(settings(in: sidecar?.0))
    var (facts, decision) = decision(state, personal.edit, digest)
    // `--previous replace` also drops the photo's own settings.
    if case .render(let planned) = decision, dropsSettings(planned, state) {
      personal = try personalRecipe(JSON.Object())
      facts.settings = personal.edit.settings
    }
    let edit = PlannedEdit(
      edit: personal.edit, state: state, photo: photo, digest: digest, decision: decision,
      adopted: adopted.map { (sidecar: $0.0, identity: $0.1) })
    let warnings =
      foreign.warnings
      + personal.unused.map {
        "the photo's own setting '\($0.key)' does not belong to any step of the recipe"
      }
    let sizeWarning = sidecar.flatMap { Sidecar.warning(bytes: Int($0.1.size)) }
    switch decision {
    case .nothing(let reason, let detail):
      var plan = leave(reason, detail)
      plan.warnings = warnings
      plan.sizeWarning = sizeWarning
      plan.adopts = adopted != nil
      if plan.adopts {
        plan.warnings.append("renditions changed by hand were adopted as separate edits")
        plan.files = [PlannedFile(.replace, Sidecar.path(of: asset.path))]
      }
      // A companion file that could not be read may be readable in a later run, so the plan is not
      // kept.
      plan.isLasting = reason.isLasting && foreign.warnings.isEmpty && adopted == nil
      return (plan, edit)
    case .render(let planned):
      let losses = state.losses(in: planned)
      if !losses.isEmpty && !context.options.mayDiscard {
        var failure = PhotoFailure(
          .needsConsent, "this run would remove \(losses.joined(separator: ", "))",
          hint: "use --yes to remove them")
        failure.needsConsent = true
        throw failure
      }
      try checkPaths(of: planned, edit)
      var plan = PhotoPlan(asset.path, state.action(of: planned), state.standing(of: planned))
      plan.stale = StaleOutputs(facts, state, personal.edit).outputs(of: planned)
      plan.files = PlannedFiles(state, personal.edit.recipe, digest)
        .files(of: planned, writing: plan.stale)
      plan.losses = losses
      plan.warnings = warnings + state.warnings(of: planned)
      plan.sizeWarning = sizeWarning
      return (plan, edit)
    }
  }

  private func digest(of photo: OpenFile) throws(PhotoFailure) -> Digest {
    try attempt {
      try context.edit.digests.digest(
        of: photo, at: asset.path, .library, in: context.root.library)
    }
  }

  private func decision(
    _ state: StackState, _ edit: RecipeEdit, _ digest: Digest?
  ) -> (EditFacts, EditDecision) {
    var facts = state.facts(original: digest ?? Digest(of: EmptyCollection()))
    facts.settings = edit.settings
    facts.isReverted =
      state.sidecar?.reversion(handledBy: context.recipe)?.settings == edit.settings
    let decision = EditDecision(facts)
    guard case .render(let planned) = decision else { return (facts, decision) }
    // Only the records of adjustments that will be rendered again are read.
    for case .replayed(let depth) in planned.layers {
      do throws(EditFacts.Obstacle) {
        _ = try RecordedEdit(state.stack[depth].adjustment, context.edit.registry)
      } catch { facts.stack[depth].obstacle = error }
    }
    return (facts, EditDecision(facts))
  }

  /// Throws if an edit cannot have a path that it needs; only paths known before rendering are
  /// checked.
  private func checkPaths(of planned: Edit, _ edit: PlannedEdit) throws(PhotoFailure) {
    let state = edit.state
    let paths = RenditionPaths(of: edit.edit.recipe).known(of: asset.path, certain: true)
    try state.checkOwners(
      of: paths, displacing: state.displaced(by: planned), by: edit.edit.recipe)
    for path in paths { try context.edit.ledger.check(path, for: asset.path) }
  }

  /// The sidecar with changed renditions as separate edits; nil without `--on-modified adopt`, or
  /// if no rendition changed.
  ///
  /// - Throws: A failure if a changed rendition cannot be decoded.
  private func adopted(
    _ sidecar: (Sidecar, FileIdentity)?
  ) throws(PhotoFailure) -> (Sidecar, FileIdentity)? {
    guard context.options.onModified == .adopt, let identity = sidecar?.1 else { return nil }
    let state = StackState(asset.path, sidecar, context.recipe, context.edit)
    let check = DecodeCheck(context: context.edit, worker: worker)
    let adopted = try state.adopting(date: context.edit.date, context.root) {
      file throws(PhotoFailure) in try check.run(file, context.recipe.inputs)
    }
    return adopted.map { ($0, identity) }
  }

  /// The recipe's first condition that the photo does not meet; nil if it meets all.
  private func unmetCondition(
    _ photo: OpenFile, _ format: InputFormat, _ sidecar: (Sidecar, FileIdentity)?
  ) throws(PhotoFailure) -> Condition? {
    let selection = context.recipe.selection
    if selection.conditions.isEmpty { return nil }
    var facts = PhotoFacts(
      size: nil, bytes: Int(asset.file.status.identity.size), format: format.name,
      date: "\(CivilTime(nanoseconds: asset.file.status.identity.modified))")
    if selection.needsHeader {
      let renderer = JobRenderer(context: context.edit, asset: asset, worker: worker)
      guard let summary = try renderer.probe(photo, context.recipe.inputs) else { return nil }
      facts.size = summary.size
      facts.date = summary.captureDate ?? facts.date
      facts.details = companionDetails.merged(with: summary.details)
    }
    return selection.firstUnmet(by: facts)
  }

  /// The photo's own settings for the recipe.
  private func settings(in sidecar: Sidecar?) -> JSON.Object {
    let own = sidecar?.stack(context.recipe.variant).map(\.adjustment)
      .last(where: context.recipe.handles)
    // A reverted adjustment that is made again keeps its settings.
    return own?.overrides ?? sidecar?.reversion(handledBy: context.recipe)?.overrides
      ?? JSON.Object()
  }

  /// True if an edit drops the adjustment whose own settings the recipe would reuse.
  private func dropsSettings(_ planned: Edit, _ state: StackState) -> Bool {
    let own = state.stack.lastIndex { context.recipe.handles($0.adjustment) }
    return own.map { planned.dropped(of: state.stack.count).contains($0) } ?? false
  }

  /// The recipe with the photo's own settings, and the settings that match no step of it.
  private func personalRecipe(
    _ settings: JSON.Object
  ) throws(PhotoFailure) -> (edit: RecipeEdit, unused: [Assignment]) {
    let overrides = settings.members.map { Assignment(key: $0.key, value: $0.value) }
    if overrides.isEmpty {
      return (recipeEdit(context.recipe, settings, isPersonal: false), [])
    }
    let personal: (recipe: Recipe, unused: [Assignment])
    do throws(InvalidDocument) {
      personal = try context.document.recipe(
        overrides: overrides,
        assignments: context.options.assignments)
    } catch {
      throw PhotoFailure(
        .corruptSidecar, "the photo's own settings are invalid\n\(error.message)",
        hint: "correct 'overrides' in its sidecar")
    }
    // `--allow-external` covers the programs in the recipe, not programs from a sidecar.
    let known = context.recipe.externalSteps.map(\.step)
    for (id, step) in personal.recipe.externalSteps where !known.contains(step) {
      throw PhotoFailure(
        .corruptSidecar, "the photo's own settings change the program that the step '\(id)' runs",
        hint: "remove them from 'overrides' in its sidecar")
    }
    return (recipeEdit(personal.recipe, settings, isPersonal: true), personal.unused)
  }

  private func recipeEdit(
    _ recipe: Recipe, _ overrides: JSON.Object, isPersonal: Bool
  ) -> RecipeEdit {
    let focal = context.edit.focalPoint(of: asset)
    return RecipeEdit(
      recipe: recipe,
      settings: context.settingsDigest(of: recipe, isPersonal: isPersonal, focal: focal),
      overrides: overrides, files: context.files, focal: focal)
  }

  private func attempt<Result>(_ body: () throws -> Result) throws(PhotoFailure) -> Result {
    try PhotoFailure.attempt(body)
  }
}
