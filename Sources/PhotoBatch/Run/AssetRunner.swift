import Glibc
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Decides on one photo and does what was decided, on the thread of its lane.
struct AssetRunner {
  let context: BatchContext
  let asset: Asset
  let worker: WorkerProcess
  /// Is shown what was decided, and on what, before any of it is done.
  var study: (EditStudy) -> Void = { _ in }

  /// What came of a photo.
  enum Result {
    case done(AssetOutcome)
    /// Files to be published with those of others.
    case prepared(PreparedEdit)
    /// The run is being stopped: the photo counts for nothing.
    case cancelled
  }

  func run() -> Result {
    do throws(PhotoFailure) { return try result() } catch {
      return error.isCancelled ? .cancelled : .done(AssetOutcome(asset.path, error))
    }
  }

  private func result() throws(PhotoFailure) -> Result {
    if !context.recipe.selection.matches(path: asset.path.bytes) {
      return .done(AssetOutcome(asset.path, .notSelected).lasting)
    }
    if let original = context.contents.possibleOriginal(of: asset) {
      let isSetAside = context.contents.sidecars[original]?.sidecar != nil
      return .done(
        AssetOutcome(
          asset.path, .corruptSidecar,
          "it may be a rendition of '\(original.displayed)', whose sidecar "
            + (isSetAside ? "was set aside" : "cannot be used"),
          hint: isSetAside
            ? "move it away if it is; then remove the sidecar that ends with '.damaged'"
            : "mend that sidecar, or set it aside with 'phbatch repair'"))
    }
    let photo = try attempt { try context.root.library.open(asset.path) }
    let kind = try attempt {
      try FileKind(of: photo, named: asset.file.name, in: context.root.library)
    }
    if let format = kind.format, context.recipe.inputs.allows(format) {
      return try result(photo, format)
    }
    switch kind {
    case .notPhoto: return .done(AssetOutcome(asset.path, .notSelected, "not a photo").lasting)
    case .photo(let format), .unsupported(let format):
      return .done(
        AssetOutcome(asset.path, .unsupportedFormat, format.title, hint: format.remedy).lasting)
    case .unreadable(let claimed, let found):
      let detail =
        "by its name it is \(claimed.title), by its bytes "
        + (found?.title ?? "of no format that is known")
      let remedy = found?.remedy ?? "open it in a viewer"
      return .done(AssetOutcome(asset.path, .unreadable, detail, hint: remedy).lasting)
    }
  }

  private func result(_ photo: OpenFile, _ format: InputFormat) throws(PhotoFailure) -> Result {
    if asset.file.name.bytes.count > Sidecar.longestName {
      throw PhotoFailure(
        .nameTooLong, "there is no room for a sidecar's name",
        hint: "rename the photo to \(Sidecar.longestName) bytes or fewer")
    }
    var sidecar = try context.contents.usableSidecar(of: asset)
    if let unmet = try unmetCondition(photo, format, sidecar) {
      return .done(AssetOutcome(asset.path, .notSelected, "\(unmet)").lasting)
    }
    let foreign = try ForeignEdits(
      of: asset, in: context.contents, context.root.library, context.edit.digests,
      date: context.edit.date)
    let adopted = adopted(sidecar)
    sidecar = adopted ?? sidecar
    let digest = try digest(of: photo, sidecar)
    let state = StackState(asset.path, sidecar, context.recipe, foreign: foreign, context.edit)
    var personal = try personalRecipe(settings(in: sidecar?.0))
    let decision = decision(state, personal.edit, digest)
    // Who starts afresh starts without the settings that go with the edit.
    if case .render(let planned) = decision, dropsSettings(planned, state) {
      personal = try personalRecipe(JSON.Object())
    }
    let edit = personal.edit
    let editor = StackEditor(
      context: context.edit, asset: asset, worker: worker, state: state, photo: photo,
      digest: digest)
    let size = asset.sidecarWarning(sidecar).map { [$0] } ?? []
    let warnings =
      foreign.warnings
      + personal.unused.map { "the photo's own setting '\($0.key)' has no step any more" }
    study(EditStudy(edit: edit, editor: editor, decision: decision))
    switch decision {
    case .nothing(let reason, let detail):
      var outcome = AssetOutcome(asset.path, reason, detail)
      outcome.warnings += warnings + size
      // A companion that could not be read may be readable later.
      outcome.isLasting = reason.isLasting && foreign.warnings.isEmpty && adopted == nil
      guard let (sidecar, identity) = adopted else { return .done(outcome) }
      outcome.warnings.append("renditions changed by hand are edits of their own now")
      outcome.isDue = context.options.isDryRun
      if context.options.isDryRun { return .done(outcome) }
      let commit = SidecarCommit(context: context.edit, original: asset.path)
      return .prepared(try commit.prepare(sidecar, replacing: identity, outcome))
    case .render(let planned):
      // What is written is looked at when it is.
      let size = context.options.isDryRun ? size : []
      return try render(planned, edit, editor, warnings + size)
    }
  }

  /// The digest of the photo; where nothing compares it and nothing is written, that of no bytes.
  private func digest(
    of photo: OpenFile, _ sidecar: (Sidecar, FileIdentity)?
  ) throws(PhotoFailure) -> Digest {
    if context.options.isDryRun && sidecar == nil { return Digest(of: EmptyCollection()) }
    return try attempt {
      try context.edit.digests.digest(
        of: photo, at: asset.path, .library, in: context.root.library)
    }
  }

  private func render(
    _ planned: Edit, _ new: RecipeEdit, _ editor: StackEditor, _ warnings: [String]
  ) throws(PhotoFailure) -> Result {
    let losses = editor.state.losses(in: planned)
    if !losses.isEmpty && !context.options.mayDiscard {
      var failure = PhotoFailure(
        .modified, "this would drop \(losses.joined(separator: ", "))",
        hint: "say --yes to drop them")
      failure.needsConsent = true
      throw failure
    }
    let warnings = warnings + editor.state.warnings(of: planned)
    let standing = editor.state.standing(of: planned)
    if context.options.isDryRun {
      try editor.checkPaths(of: planned, new)
      var outcome = AssetOutcome(asset.path, .rendered, standing)
      outcome.isDue = true
      outcome.warnings = warnings
      return .done(outcome)
    }
    var prepared = try editor.carryOut(planned, new, warnings: warnings)
    let details = [standing, prepared.outcome.detail].compactMap(\.self)
    prepared.outcome.detail = details.isEmpty ? nil : details.joined(separator: "; ")
    return .prepared(prepared)
  }

  private func decision(
    _ state: StackState, _ edit: RecipeEdit, _ digest: Digest
  ) -> EditDecision {
    var facts = state.facts(original: digest)
    facts.settings = edit.settings
    facts.isReverted = isReverted(state.sidecar, edit)
    let decision = EditDecision(facts)
    guard case .render(let planned) = decision else { return decision }
    // Records are read only where they are to be rendered again.
    for case .replayed(let depth) in planned.layers {
      do throws(EditFacts.Obstacle) {
        _ = try RecordedEdit(state.stack[depth].adjustment, context.edit.registry)
      } catch { facts.stack[depth].obstacle = error }
    }
    return EditDecision(facts)
  }

  /// Whether the recipe's adjustment was reverted, and would be the same again.
  private func isReverted(_ sidecar: Sidecar?, _ edit: RecipeEdit) -> Bool {
    sidecar?.reversion(handledBy: context.recipe)?.settings == edit.settings
  }

  /// The sidecar with changed renditions as edits of their own, where `--on-modified adopt` asks for
  /// that and there are some.
  private func adopted(_ sidecar: (Sidecar, FileIdentity)?) -> (Sidecar, FileIdentity)? {
    guard context.options.onModified == .adopt, let identity = sidecar?.1 else { return nil }
    let state = StackState(asset.path, sidecar, context.recipe, context.edit)
    return state.adopting(date: context.edit.date, context.root).map { ($0, identity) }
  }

  /// The first condition of the recipe that the photo does not fulfil.
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

  /// The settings of its own that a photo has for the recipe.
  private func settings(in sidecar: Sidecar?) -> JSON.Object {
    let own = sidecar?.stack(context.recipe.variant).map(\.adjustment)
      .last(where: context.recipe.handles)
    // An adjustment that was reverted comes back with them.
    return own?.overrides ?? sidecar?.reversion(handledBy: context.recipe)?.overrides
      ?? JSON.Object()
  }

  /// Whether an edit starts anew without the adjustment whose settings the recipe would take over.
  private func dropsSettings(_ planned: Edit, _ state: StackState) -> Bool {
    let own = state.stack.lastIndex { context.recipe.handles($0.adjustment) }
    return own.map { planned.dropped(of: state.stack.count).contains($0) } ?? false
  }

  /// The recipe with the photo's own settings, and those of them that it has no place for.
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
        hint: "mend 'overrides' in its sidecar")
    }
    // Whoever allowed the recipe's programs has not seen the photo's own.
    let known = context.recipe.externalSteps.map(\.step)
    for (id, step) in personal.recipe.externalSteps where !known.contains(step) {
      throw PhotoFailure(
        .corruptSidecar, "the photo's own settings change the program of '\(id)'",
        hint: "remove them from 'overrides' in its sidecar")
    }
    return (recipeEdit(personal.recipe, settings, isPersonal: true), personal.unused)
  }

  private func recipeEdit(
    _ recipe: Recipe, _ overrides: JSON.Object, isPersonal: Bool
  ) -> RecipeEdit {
    RecipeEdit(
      recipe: recipe,
      settings: context.settingsDigest(
        of: recipe, isPersonal: isPersonal, focal: context.edit.focalPoint(of: asset)),
      overrides: overrides, files: context.files)
  }

  private func attempt<Result>(_ body: () throws -> Result) throws(PhotoFailure) -> Result {
    try PhotoFailure.attempt(body)
  }
}

extension Asset {
  /// What is to be said of the size of its sidecar.
  fileprivate func sidecarWarning(_ found: (Sidecar, FileIdentity)?) -> String? {
    found.flatMap { Sidecar.warning(bytes: Int($0.1.size)) }
  }
}

extension AssetOutcome {
  fileprivate var lasting: AssetOutcome {
    var outcome = self
    outcome.isLasting = true
    return outcome
  }
}
