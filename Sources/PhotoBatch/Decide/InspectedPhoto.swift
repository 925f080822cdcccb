import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// A photo whose files have been read, so that it can be planned with several options without
/// reading them again.
struct InspectedPhoto {
  private var context: BatchContext
  private let asset: Asset
  private let photo: OpenFile
  /// The format by the first bytes of the file.
  private let format: InputFormat
  /// The digest of the photo's file; nil if the photo has no sidecar.
  private let digest: Digest?
  private let foreign: ForeignEdits
  private var state: StackState
  /// The sidecar that records renditions changed by hand as separate edits, and the identity of the
  /// file that it replaces; nil if no such rendition is recorded.
  private let adopted: (sidecar: Sidecar, identity: FileIdentity)?
  /// The facts that the decision reads, taken from the sidecar and from the files on the disk.
  private let files: EditFacts

  init(
    context: BatchContext, asset: Asset, photo: OpenFile, format: InputFormat, digest: Digest?,
    foreign: ForeignEdits, state: StackState,
    adopted: (sidecar: Sidecar, identity: FileIdentity)?
  ) {
    (self.context, self.asset, self.digest) = (context, asset, digest)
    (self.photo, self.format) = (photo, format)
    (self.foreign, self.state, self.adopted) = (foreign, state, adopted)
    files = state.facts(original: digest ?? Digest(of: EmptyCollection()))
  }

  /// Returns the same photo for planning with another value of `--previous`, and with permission to
  /// remove edits.
  func with(previous: PreviousPolicy) -> InspectedPhoto {
    var other = self
    other.context.edit.options.previous = previous
    other.context.edit.options.mayDiscard = true
    other.state.context = other.context.edit
    return other
  }

  /// Plans what a run does with the photo.
  ///
  /// - Throws: The failure that prevents a run from rendering the photo.
  func plan() throws(PhotoFailure) -> (plan: PhotoPlan, edit: PlannedEdit) {
    var personal = try personalRecipe(settings)
    var (facts, decision) = decision(personal.edit)
    // `--previous replace` also drops the photo's own settings.
    if case .render(let planned) = decision, dropsSettings(planned) {
      personal = try personalRecipe(JSON.Object())
      facts.settings = personal.edit.settings
    }
    let edit = PlannedEdit(
      edit: personal.edit, state: state, photo: photo, digest: digest, decision: decision,
      adopted: adopted)
    let warnings =
      foreign.warnings
      + personal.unused.map {
        "the photo's own setting '\($0.key)' does not belong to any step or parameter of the recipe"
      }
    let sizeWarning = state.sidecarIdentity.flatMap { Sidecar.warning(bytes: Int($0.size)) }
    switch decision {
    case .nothing(let reason, let detail):
      let modified = reason == .modified ? state.modified(state.stack.map(\.index), facts) : []
      for path in modified { try state.checkReadable(path) }
      var plan =
        modified.isEmpty
        ? PhotoPlan(asset.path, .leave(reason), detail)
        : PhotoPlan(asset.path, .modified(modified))
      plan.warnings = warnings
      plan.sizeWarning = sizeWarning
      plan.adopts = adopted != nil
      if plan.adopts {
        plan.warnings.append("renditions that were changed by hand become separate edits")
        plan.files = [PlannedFile(.replace, Sidecar.path(of: asset.path))]
      }
      // If a companion file could not be read, later runs must plan again, because it may be
      // readable then.
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
      try state.checkReadable(state.renewed(by: planned), facts)
      try checkPaths(of: planned, edit)
      try checkStart(of: planned, edit.edit.recipe)
      var plan = PhotoPlan(asset.path, state.action(of: planned), state.standing(of: planned))
      plan.stale = StaleOutputs(facts, state, personal.edit, recipe).outputs(of: planned)
      plan.files = PlannedFiles(
        state, personal.edit.recipe, digest,
        hasFilm: personal.edit.film != nil && context.edit.rendersFilms
      ).files(of: planned, writing: plan.stale)
      plan.losses = losses
      plan.warnings = warnings + state.warnings(of: planned)
      plan.sizeWarning = sizeWarning
      return (plan, edit)
    }
  }

  private func decision(_ edit: RecipeEdit) -> (EditFacts, EditDecision) {
    var facts = files
    facts.policy.previous = context.options.previous
    facts.settings = edit.settings
    facts.isReverted =
      state.sidecar?.reversion(handledBy: context.recipe).map { isUnchanged(edit, since: $0) }
      ?? false
    return state.decision(facts)
  }

  /// True if an edit still has the settings that it had when it was reverted, apart from new
  /// revisions of filters.
  private func isUnchanged(_ edit: RecipeEdit, since reverted: Reversion) -> Bool {
    var rendered = edit
    // The digest is that of the renditions, which did not have the photo's last own settings yet.
    if let before = reverted.renderedOverrides {
      guard edit.overrides == reverted.overrides, let earlier = try? personalRecipe(before).edit
      else { return false }
      rendered = earlier
    }
    return rendered.settings == reverted.settings
      || RevisedFilters.revised(
        rendered.recipe, since: reverted.settings, digest: rendered.settings(with:)) != nil
  }

  /// Throws if another photo or adjustment owns a path that the edit will write; only paths known
  /// before rendering are checked.
  private func checkPaths(of planned: Edit, _ edit: PlannedEdit) throws(PhotoFailure) {
    var paths = edit.edit.forms.paths.known(of: asset.path, certain: true)
    if edit.edit.film != nil && context.edit.rendersFilms {
      paths += edit.edit.forms.paths.films(of: asset.path, certain: true)
    }
    try state.checkOwners(
      of: paths.map { ($0, nil) }, displacing: state.displaced(by: planned),
      replaying: state.replayed(by: planned), by: edit.edit.recipe)
    for path in paths { try context.edit.ledger.check(path, for: asset.path) }
  }

  /// Throws if the image from which the lowest layer is rendered, or the film beside it, is missing
  /// or is not the recorded file.
  private func checkStart(of planned: Edit, _ recipe: Recipe) throws(PhotoFailure) {
    let lowest: Recipe?
    switch planned.layers.first {
    case .recipe: lowest = recipe
    case .replayed(let depth):
      lowest = try? RecordedEdit.recipe(of: state.stack[depth].adjustment)
    case .kept, .foreign, .refreshed, nil: return
    }
    _ = try state.open(planned.start, photo: photo)
    guard let lowest, lowest.outputs.contains(where: lowest.keepsFilm),
      case .recorded(let film) = state.film(of: planned.start)
    else { return }
    _ = try state.open(.rendition(film.file, sha256: film.sha256), photo: photo)
  }

  /// The photo's own settings for the recipe, from its sidecar.
  private var settings: JSON.Object {
    state.sidecar?.ownSettings(for: context.recipe) ?? JSON.Object()
  }

  /// True if the edit removes the recipe's previous adjustment, and with it the photo's own
  /// settings.
  private func dropsSettings(_ planned: Edit) -> Bool {
    let own = state.stack.lastIndex { context.recipe.handles($0.adjustment) }
    return own.map { planned.dropped(of: state.stack.count).contains($0) } ?? false
  }

  /// Returns the `edit`, which is the recipe with the photo's own settings, and the `unused`
  /// settings, which match no step of the recipe.
  private func personalRecipe(
    _ settings: JSON.Object
  ) throws(PhotoFailure) -> (edit: RecipeEdit, unused: [Assignment]) {
    let overrides = settings.members.map { Assignment(key: $0.key, value: $0.value) }
    if overrides.isEmpty {
      return (try recipeEdit(context.recipe, settings, isPersonal: false), [])
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
    let recipe = context.narrowed(personal.recipe)
    let forbidden = ForbiddenSettings(
      in: overrides, recipe, of: context.document, context.options.assignments,
      files: Set(context.files.entries.keys), programs: context.recipe.externalSteps.map(\.step))
    if let forbidden {
      throw PhotoFailure(.corruptSidecar, forbidden.message, hint: forbidden.hint)
    }
    return (try recipeEdit(recipe, settings, isPersonal: true), personal.unused)
  }

  /// The recipe with these own settings of the photo; nil if they are invalid.
  private func recipe(with settings: JSON.Object) -> Recipe? {
    let overrides = settings.members.map { Assignment(key: $0.key, value: $0.value) }
    let personal = try? context.document.recipe(
      overrides: overrides, assignments: context.options.assignments)
    return personal.map { context.narrowed($0.recipe) }
  }

  private func recipeEdit(
    _ recipe: Recipe, _ overrides: JSON.Object, isPersonal: Bool
  ) throws(PhotoFailure) -> RecipeEdit {
    let focal = context.edit.focalPoint(of: asset)
    let old = state.sidecar?.stack(recipe.variant).map(\.adjustment).last(where: recipe.handles)
    if let old, let same = recipeWithRawSettings(of: old, recipe) {
      return try recipeEdit(same, overrides, isPersonal: true)
    }
    func edit(_ settings: String, film: String?) -> RecipeEdit {
      RecipeEdit(
        recipe: recipe, shared: isPersonal ? nil : context.forms, settings: settings,
        overrides: overrides, files: context.files, focal: focal, film: film)
    }
    let film = try state.filmDigest(
      of: asset, beside: filmImage(after: old), for: recipe, after: old)
    guard let film else {
      return edit(
        context.settingsDigest(of: recipe, isPersonal: isPersonal, focal: focal), film: nil)
    }
    return edit(edit("", film: film).settings(with: [:]), film: film)
  }

  /// The foreign or adopted image whose film the edit would use; nil if the edit would use the film
  /// of the original.
  private func filmImage(after old: Adjustment?) -> ForeignRecord? {
    var facts = files
    facts.policy.previous = context.options.previous
    // No recorded digest has this text, so the edit counts as stale.
    facts.settings = "unknown"
    guard case .render(let edit) = EditDecision(facts), let place = edit.recipePlace else {
      return old.flatMap { state.image(under: $0.base) }
    }
    return state.image(below: place, in: edit)
  }

  /// The recipe with the settings for raw photos that an edit records, if they differ and the photo
  /// is not raw; otherwise nil.
  ///
  /// They do not matter for other photos, so a change of them must not render those again. A TIFF file
  /// can be raw.
  private func recipeWithRawSettings(of old: Adjustment, _ recipe: Recipe) -> Recipe? {
    guard !old.settings.isEmpty, format.family != .raw, format.name != "tiff" else { return nil }
    let recorded = InputSettings(old.recipe["inputs"]).raw
    if recorded == recipe.inputs.raw { return nil }
    var same = recipe
    same.inputs.raw = recorded
    return same
  }
}
