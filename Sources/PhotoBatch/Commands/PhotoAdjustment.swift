import Notation
import PhotoLibrary
import PhotoRecipes

/// Writes one photo's own settings into its sidecar; the next run renders the photo with them.
struct PhotoAdjustment {
  let context: EditContext
  let asset: Asset
  let change: AdjustmentChange
  /// The checks of the same command; `change` has the recipe of all of them.
  let checks: SettingsChecks
  /// True if the user named the photo's own path, and not a folder or a name that the photo shares
  /// with another file of its shot.
  let isNamedAlone: Bool

  func run() -> AssetRunner.Result {
    do throws(PhotoFailure) { return try result() } catch {
      return .done(AssetOutcome(asset.path, error))
    }
  }

  private func result() throws(PhotoFailure) -> AssetRunner.Result {
    let found = try context.contents.usableSidecar(of: asset)
    var sidecar = if let found { found.0 } else { try newSidecar() }
    let changesSettings =
      !change.assignments.isEmpty || !change.unset.isEmpty
      || change.copied.map { !$0.settings.members.isEmpty } ?? false
    switch change.focalPoint {
    case .set(let point): sidecar.focalPoint = point
    case .remove: sidecar.focalPoint = nil
    case nil: break
    }
    if changesSettings, let other = editedFile(insteadOf: sidecar) {
      return .done(
        AssetOutcome(
          asset.path, .skipped,
          "the photo has no edits; the edit of '\(other.path.displayed)' is changed"))
    }
    var settings: NewSettings?
    var isRendered =
      if change.focalPoint == nil { false } else { try goesByFocalPoint(sidecar) }
    if changesSettings {
      let index = try place(in: &sidecar)
      let adjustment = sidecar.adjustments[index]
      let new = try newSettings(of: adjustment)
      let isSame = keepsRenditions(of: adjustment, with: new, sidecar.focalPoint)
      sidecar.adjustments[index].adjust(new.overrides, keepsRenditions: isSame)
      isRendered = isRendered || !isSame
      settings = new
    }
    if sidecar == found?.0 {
      return .done(AssetOutcome(asset.path, .upToDate, "the photo already has these settings"))
    }
    let given = try? recipe()
    let obstacle = obstacle(given ?? recordedRecipe(in: sidecar))
    let consequence =
      if let obstacle {
        obstacle.detail
      } else if isRendered {
        "the next run renders it"
          + (given?.selection.conditions.isEmpty ?? true ? "" : " if the recipe selects it")
      } else if settings != nil {
        "its renditions stay the same"
      } else {
        "no edit of the photo uses it yet; only the filter 'smartCrop' uses it"
      }
    let off = (settings?.off ?? []).map { step in
      "the step '\(step)' is off, and its settings have no effect until --enable \(step)"
    }
    let words = [change.text(switchingOn: settings?.switchedOn ?? []), consequence] + off
    var outcome = AssetOutcome(
      asset.path, obstacle?.reason ?? (isRendered ? .rendered : .skipped),
      words.joined(separator: "; "))
    outcome.isDue = obstacle == nil && isRendered
    let commit = SidecarCommit(context: context, original: asset.path)
    return .prepared(try commit.prepare(sidecar, replacing: found?.1, outcome))
  }

  /// The reason why runs with a recipe do not render the photo; nil if they may render it.
  private func obstacle(_ recipe: Recipe?) -> (reason: Reason, detail: String)? {
    if let partner = partner(recipe) {
      return (
        .notSelected,
        "runs render the photo's \(partner.pairedKind) instead, unless 'rawAndJPEG' in the recipe says otherwise"
      )
    }
    let library = context.root.library
    guard let photo = try? library.open(asset.path),
      let kind = try? FileKind(of: photo, named: asset.file.name, in: library)
    else { return (.skipped, "no run can render the photo, because its file cannot be read") }
    guard case .unreadable(let claimed, nil) = kind else { return nil }
    return (
      .skipped, "no run can render the photo, because its file does not contain \(claimed.title)"
    )
  }

  /// The file that runs with a recipe render instead of this one of a raw photo and its JPEG; nil if
  /// they may render this file.
  ///
  /// The recipe's conditions are not checked, so with conditions runs may render either file.
  private func partner(_ recipe: Recipe?) -> Asset? {
    let selection = recipe?.selection ?? Selection()
    guard let family = asset.file.claim.family, selection.conditions.isEmpty else { return nil }
    return context.contents.partners(
      of: asset, family, recipe?.inputs ?? InputSettings(), selection
    ).first
  }

  /// The other file of a raw photo and its JPEG, if only that file has an edit that the change
  /// applies to; otherwise nil.
  ///
  /// Runs usually render one of the two files, so a name for both means the one with the edit.
  private func editedFile(insteadOf sidecar: Sidecar) -> Asset? {
    if isNamedAlone || change.document != nil || hasEdit(sidecar) { return nil }
    return context.contents.otherFiles(ofShot: asset).first { other in
      // The change of the other file reports its unusable sidecar.
      (try? context.contents.usableSidecar(of: other)).map { hasEdit($0.0) } ?? false
    }
  }

  private func hasEdit(_ sidecar: Sidecar) -> Bool {
    if case .stack = editedStack(in: sidecar) { true } else { false }
  }

  /// The stack that a change without a recipe applies to.
  private func editedStack(in sidecar: Sidecar) -> StackChoice {
    StackChoice(change.variant, in: sidecar) { !$0.isForeign }
  }

  /// The recipe of the newest edit that the sidecar of a raw photo and its JPEG records; nil if it
  /// cannot be read, and for other photos.
  private func recordedRecipe(in sidecar: Sidecar) -> Recipe? {
    guard context.contents.isPaired(asset) else { return nil }
    return sidecar.adjustments.last { !$0.isForeign }.flatMap {
      try? RecipeDocument(recorded: $0).recipe().recipe
    }
  }

  /// True if a new focal point would change the photo's renditions.
  ///
  /// The given recipe must use the focal point, or, if none is given, any recipe that the sidecar
  /// records.
  private func goesByFocalPoint(_ sidecar: Sidecar) throws(PhotoFailure) -> Bool {
    if let recipe = try recipe() { return recipe.usesFocalPoint }
    return sidecar.adjustments.contains { adjustment in
      (try? RecipeDocument(recorded: adjustment).recipe())?.recipe.usesFocalPoint ?? false
    }
  }

  private func newSidecar() throws(PhotoFailure) -> Sidecar {
    let library = context.root.library
    let digest = try PhotoFailure.attempt {
      try Digest(of: library.open(asset.path), in: library)
    }
    return Sidecar(
      original: OriginalRecord(
        file: RecordedName(bytes: Array(asset.file.name.bytes)), bytes: Int(digest.count),
        sha256: "\(digest)", width: 0, height: 0, date: nil))
  }

  /// Returns the index of the adjustment to change.
  ///
  /// With a recipe, this is the recipe's adjustment; it is added if the stack has none. Without a
  /// recipe, this is the newest adjustment of the chosen stack.
  private func place(in sidecar: inout Sidecar) throws(PhotoFailure) -> Int {
    guard let recipe = try recipe() else { return try chosenPlace(in: sidecar) }
    let stack = sidecar.stack(change.variant)
    if let index = stack.last(where: { recipe.handles($0.adjustment) })?.index { return index }
    // If a parameter is a part of the recipe's variant, each stack is that of some run.
    let hasAnyVariant = change.document?.tree["variant"]?.string?.contains("${") ?? false
    sidecar.adjustments.append(
      Adjustment(
        formatIdentifier: recipe.identifier, formatVersion: "\(recipe.version)",
        variant: hasAnyVariant ? change.variant : recipe.variant,
        base: stack.last?.adjustment.currentBase ?? .original,
        date: context.date, overrides: JSON.Object(), recipe: recipe.record, renditions: [],
        settings: "", engine: .object(JSON.Object())))
    return sidecar.adjustments.count - 1
  }

  /// The index of the newest adjustment of the chosen stack, for a change without a recipe.
  private func chosenPlace(in sidecar: Sidecar) throws(PhotoFailure) -> Int {
    switch editedStack(in: sidecar) {
    case .none(let words, let hint):
      throw PhotoFailure(
        .noEdit, words, hint: hint ?? "name a recipe with --recipe", code: .usage)
    case .stack(_, let newest): return newest
    }
  }

  private func recipe() throws(PhotoFailure) -> Recipe? {
    if let known = change.recipe { return known }
    guard let document = change.document else { return nil }
    do throws(InvalidDocument) {
      return try document.recipe(assignments: change.runAssignments).recipe
    } catch {
      throw PhotoFailure(.invalidSettings, error.message, code: .invalidRecipe)
    }
  }

  /// The own settings of an adjustment after a change.
  private struct NewSettings {
    var overrides: JSON.Object
    /// The recipe with these settings.
    var recipe: Recipe
    /// The steps that the change switches on because it needs them.
    var switchedOn: [String]
    /// The steps with changed settings that are off.
    var off: [String]
  }

  /// Returns the photo's own settings of the adjustment, after the change.
  ///
  /// The settings must be valid in the given recipe, or in the recorded recipe if none is given.
  private func newSettings(of adjustment: Adjustment) throws(PhotoFailure) -> NewSettings {
    let copied = change.copied?.settings.members.map { Assignment(key: $0.key, value: $0.value) }
    // The recorded recipe has the values of its parameters only, so they cannot be checked here.
    let checked = copied?.filter { change.document != nil || !$0.isParameter }
    var assignments = (checked ?? []) + change.assignments
    var overrides = change.copied?.merged(into: adjustment.overrides) ?? adjustment.overrides
    for key in change.unset {
      guard overrides[key] != nil else {
        throw PhotoFailure(
          .invalidSettings, "the photo does not have its own setting '\(key)'",
          hint: [ownSettings(in: overrides), otherEdits(than: adjustment)]
            .compactMap(\.self).joined(separator: "; "), code: .usage)
      }
      overrides[key] = nil
    }
    for assignment in change.assignments { overrides[assignment.key] = assignment.value }
    let (document, recipe) = try checkedRecipe(of: adjustment)
    if let key = change.assignments.map(\.key).first(where: document.isOfPage) {
      throw PhotoFailure(
        .invalidSettings,
        "a photo cannot have its own '\(key)', because it belongs to the whole page",
        hint: "change the recipe instead", code: .invalidRecipe)
    }
    let switchedOn = missingSteps(with: overrides, in: document)
    for step in switchedOn {
      let assignment = Assignment(key: "\(step).enabled", value: .bool(true))
      assignments.append(assignment)
      overrides[assignment.key] = assignment.value
    }
    let own = overrides.members.map { Assignment(key: $0.key, value: $0.value) }
    let check = { () throws(InvalidDocument) -> CheckedSettings in
      try self.check(own, assignments, in: document, recipe)
    }
    let result: CheckedSettings
    do throws(InvalidDocument) {
      result =
        if change.document == nil { try check() } else {
          try checks.result(own, assignments, check)
        }
    } catch {
      let needsRecipe = change.document == nil && change.assignments.contains(where: \.isParameter)
      throw PhotoFailure(
        .invalidSettings, error.withoutRecordedLines.message,
        hint: needsRecipe
          ? "name the recipe with --recipe to set its parameters"
          : error.hasUnknownName ? otherEdits(than: adjustment) : nil, code: .invalidRecipe)
    }
    if let forbidden = result.forbidden {
      throw PhotoFailure(
        .invalidSettings, forbidden.message, hint: forbidden.remedy, code: .invalidRecipe)
    }
    let isUseless = { (key: String) in change.document?.hasUselessParameter(key) ?? false }
    if let useless = change.assignments.first(where: { isUseless($0.key) }) {
      throw PhotoFailure(
        .invalidSettings,
        "a photo's own value of '\(useless.key)' has no effect: no step or output uses it",
        hint: "leave it out, or use the parameter in a step or an output", code: .invalidRecipe)
    }
    return NewSettings(
      overrides: overrides, recipe: result.recipe, switchedOn: switchedOn,
      off: change.stepsOff(in: result.recipe))
  }

  /// The steps that the change needs and that are off with these settings of the photo.
  private func missingSteps(
    with overrides: JSON.Object, in document: RecipeDocument
  ) -> [String] {
    let needed = change.neededSteps.filter { step in
      !change.assignments.contains { $0.key == "\(step).enabled" }
    }
    if needed.isEmpty { return [] }
    let own = overrides.members.map { Assignment(key: $0.key, value: $0.value) }
    let recipe = try? document.recipe(overrides: own, assignments: change.runAssignments).recipe
    return needed.filter { step in
      recipe?.allSteps.contains { $0.id == step && !$0.isEnabled } ?? false
    }
  }

  /// True if the renditions of an adjustment are the same with its new settings.
  private func keepsRenditions(
    of adjustment: Adjustment, with new: NewSettings, _ focal: Sidecar.FocalPoint?
  ) -> Bool {
    let focal = focal ?? context.contents.libraryFocalPoint(of: asset)
    guard new.recipe.settingsDigest(adjustment.files, focal: focal) == adjustment.settings else {
      return false
    }
    if change.document != nil { return true }
    // The recorded recipe contains the own settings with which it was rendered, so it does not show
    // what their removal changes, nor a change of parameters.
    let before = adjustment.renderedOverrides ?? adjustment.overrides
    return (before.keys + new.overrides.keys).allSatisfy { key in
      key.contains(".") ? new.overrides[key] != nil : new.overrides[key] == before[key]
    }
  }

  private func ownSettings(in overrides: JSON.Object) -> String {
    overrides.members.isEmpty
      ? "it has no settings of its own"
      : "its own settings: \(overrides.keys.joined(separator: ", "))"
  }

  /// A hint for a user who may have meant the edit by another recipe; nil if a recipe was named.
  private func otherEdits(than adjustment: Adjustment) -> String? {
    if change.document != nil { return nil }
    let edit = "\(adjustment.formatIdentifier) \(adjustment.formatVersion)"
    return "the newest edit, by \(edit), was addressed; --recipe names the recipe of another one"
  }

  /// The recipe that must accept the new settings: the given recipe, or the recorded one.
  private func checkedRecipe(
    of adjustment: Adjustment
  ) throws(PhotoFailure) -> (RecipeDocument, Recipe?) {
    if let document = change.document { return (document, change.recipe) }
    do throws(InvalidDocument) {
      let document = try RecipeDocument(recorded: adjustment)
      return (document, try document.recipe().recipe)
    } catch {
      throw PhotoFailure(
        .invalidSettings,
        "this version of phbatch does not know the recipe that the sidecar records:"
          + " \(error.recordedFlaws)",
        hint:
          "a newer phbatch wrote it, or it was changed by hand: use the newer phbatch, or name"
          + " the recipe with --recipe",
        code: .invalidRecipe)
    }
  }

  /// Checks the photo's own settings, of which `assignments` are new.
  ///
  /// A step that is off must not name new files or programs either, because it may be switched on.
  ///
  /// - Throws: `InvalidDocument` if the recipe does not accept the new settings.
  private func check(
    _ own: [Assignment], _ assignments: [Assignment], in document: RecipeDocument,
    _ recipe: Recipe?
  ) throws(InvalidDocument) -> CheckedSettings {
    let personal = try document.recipe(
      overrides: own.filter { other in !assignments.contains { $0.key == other.key } },
      assignments: assignments + change.runAssignments
    ).recipe
    let shared =
      if let recipe { recipe } else {
        try document.recipe(assignments: change.runAssignments).recipe
      }
    func forbidden(_ steps: ForbiddenSettings.Steps) -> ForbiddenSettings? {
      let shared = steps.switchedOn(in: shared)
      return ForbiddenSettings(
        in: own, personal, of: document, change.runAssignments,
        files: Set(shared.namedFiles.map(\.path)), programs: shared.externalSteps.map(\.step),
        steps)
    }
    // A setting that the photo has already is refused by runs; it does not prevent other changes.
    let new = [ForbiddenSettings.Steps.enabled, .all].lazy.compactMap { steps in
      forbidden(steps)?.filter { setting in assignments.contains { $0.key == setting.key } }
    }
    return CheckedSettings(forbidden: new.first, recipe: personal)
  }
}
