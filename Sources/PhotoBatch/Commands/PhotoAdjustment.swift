import Notation
public import PhotoLibrary
public import PhotoRecipes

/// Writes one photo's own settings into its sidecar; the next run renders the photo with them.
struct PhotoAdjustment {
  let context: EditContext
  let asset: Asset
  let change: AdjustmentChange
  /// The checks of the same command; `change` has the recipe of all of them.
  let checks: SettingsChecks

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
    if changesSettings {
      let index = try place(in: &sidecar)
      sidecar.adjustments[index].adjust(try overrides(of: sidecar.adjustments[index]))
    }
    switch change.focalPoint {
    case .set(let point): sidecar.focalPoint = point
    case .remove: sidecar.focalPoint = nil
    case nil: break
    }
    if sidecar == found?.0 {
      return .done(AssetOutcome(asset.path, .upToDate, "the photo already has these settings"))
    }
    let isRendered = if changesSettings { true } else { try goesByFocalPoint(sidecar) }
    let given = try? recipe()
    let obstacle = obstacle(given ?? recordedRecipe(in: sidecar))
    let consequence =
      if let obstacle {
        obstacle.detail
      } else if isRendered {
        "the next run renders it"
          + (given?.selection.conditions.isEmpty ?? true ? "" : " if the recipe selects it")
      } else {
        "no edit of the photo uses it yet; only the filter 'smartCrop' uses it"
      }
    var outcome = AssetOutcome(
      asset.path, obstacle?.reason ?? (isRendered ? .rendered : .skipped),
      "\(change.text); \(consequence)")
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
    switch StackChoice(change.variant, in: sidecar, { !$0.isForeign }) {
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

  /// Returns the photo's own settings of the adjustment, after the change.
  ///
  /// The settings must be valid in the given recipe, or in the recorded recipe if none is given.
  private func overrides(of adjustment: Adjustment) throws(PhotoFailure) -> JSON.Object {
    let copied = change.copied?.settings.members.map { Assignment(key: $0.key, value: $0.value) }
    // The recorded recipe has the values of its parameters only, so they cannot be checked here.
    let checked = copied?.filter { change.document != nil || !$0.isParameter }
    let assignments = (checked ?? []) + change.assignments
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
    let own = overrides.members.map { Assignment(key: $0.key, value: $0.value) }
    let (document, recipe) = try checkedRecipe(of: adjustment)
    let check = { () throws(InvalidDocument) -> ForbiddenSettings? in
      try self.forbidden(own, assignments, in: document, recipe)
    }
    let forbidden: ForbiddenSettings?
    do throws(InvalidDocument) {
      forbidden =
        if change.document == nil { try check() } else {
          try checks.forbidden(own, assignments, check)
        }
    } catch {
      let needsRecipe = change.document == nil && change.assignments.contains(where: \.isParameter)
      throw PhotoFailure(
        .invalidSettings, error.withoutRecordedLines.message,
        hint: needsRecipe
          ? "name the recipe with --recipe to set its parameters"
          : error.hasUnknownName ? otherEdits(than: adjustment) : nil, code: .invalidRecipe)
    }
    // A setting that the photo has already is refused by runs; it does not prevent other changes.
    let refused = forbidden?.filter { setting in
      assignments.contains { $0.key == setting.key }
    }
    if let forbidden = refused {
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
    return overrides
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

  /// The own settings by which the photo would need files, or run programs, that the recipe does not
  /// use; nil if there are none.
  ///
  /// - Throws: `InvalidDocument` if the recipe does not accept the new settings.
  private func forbidden(
    _ own: [Assignment], _ assignments: [Assignment], in document: RecipeDocument,
    _ recipe: Recipe?
  ) throws(InvalidDocument) -> ForbiddenSettings? {
    let personal = try document.recipe(
      overrides: own.filter { other in !assignments.contains { $0.key == other.key } },
      assignments: assignments + change.runAssignments
    ).recipe
    let shared =
      if let recipe { recipe } else {
        try document.recipe(assignments: change.runAssignments).recipe
      }
    return ForbiddenSettings(
      in: own, personal, of: document, change.runAssignments,
      files: Set(shared.namedFiles.map(\.path)), programs: shared.externalSteps.map(\.step))
  }
}

extension RecipeDocument {
  /// Creates the document of the recipe that an adjustment records.
  fileprivate init(recorded adjustment: Adjustment) throws(InvalidDocument) {
    let members = adjustment.recipe.object?.members ?? []
    var object = JSON.Object(members.filter { Recipe.recordKeys.contains($0.key) })
    object["identifier"] = .string(adjustment.formatIdentifier)
    object["version"] = .string(adjustment.formatVersion)
    let text = SourceText(name: Self.recordName, text: JSON.object(object).canonicalText)
    try self.init(text) { file throws(Problem) in throw .missingFile(file.path) }
  }

  /// The name of the text of a recorded recipe, which is in no file in this form.
  fileprivate static let recordName = "the sidecar's recipe"
}

extension InvalidDocument {
  /// The flaws of a recorded recipe as one sentence, without the hints for people who write recipes.
  var recordedFlaws: String {
    diagnostics.map { "\($0.problem.message), at \($0.path)" }.joined(separator: "; ")
  }

  /// True if a name is unknown, which another recipe may have.
  fileprivate var hasUnknownName: Bool {
    diagnostics.contains { diagnostic in
      if case .unknownName = diagnostic.problem { true } else { false }
    }
  }

  /// The error without the lines of a recorded recipe, which the user cannot see.
  fileprivate var withoutRecordedLines: InvalidDocument {
    InvalidDocument(
      diagnostics: diagnostics.map { diagnostic in
        var diagnostic = diagnostic
        if diagnostic.location?.source.name == RecipeDocument.recordName {
          diagnostic.location = nil
        }
        return diagnostic
      })
  }
}

/// The change that `adjust` makes to the photos' own settings.
public struct AdjustmentChange: Sendable {
  /// The new values, each with its setting as `step.setting`.
  public var assignments: [Assignment] = []
  /// The settings to remove, as `step.setting`, so that the recipe's values apply again.
  public var unset: [String] = []
  /// The variant whose stack is changed; nil for the main stack or a photo's only stack.
  public var variant: String?
  /// The recipe whose adjustment is changed, even if no run has used it yet; nil for the newest
  /// adjustment of the stack.
  public var document: RecipeDocument?
  /// The `--set` arguments of the runs for which the settings are meant; with `document` only.
  public var runAssignments: [Assignment] = []
  /// The recipe of `document` with `runAssignments`, if it is known, so that it is not read again for
  /// each photo.
  package var recipe: Recipe?
  public var focalPoint: FocalPointChange?
  /// The settings to copy from another photo, before the other changes are made; nil for none.
  public var copied: CopiedSettings? {
    didSet {
      guard let copied else { return }
      variant = copied.variant
      if focalPoint == nil { focalPoint = copied.focalPoint.map { .set($0) } }
    }
  }

  public enum FocalPointChange: Sendable {
    case set(Sidecar.FocalPoint)
    case remove
  }

  public init() {}

  /// The change with its recipe; without it if the document is invalid, which each photo reports.
  var withRecipe: AdjustmentChange {
    var change = self
    change.recipe = try? document?.recipe(assignments: runAssignments).recipe
    return change
  }

  /// The change as text, such as `exposure.stops = 0.7`.
  var text: String {
    var parts = copied.map { ["settings of '\($0.source)'"] } ?? []
    parts += copied?.settings.members.map { "\($0.key) = \($0.value.compactText)" } ?? []
    parts += assignments.map { "\($0.key) = \($0.value.compactText)" }
    parts += unset.map { "\($0) unset" }
    switch focalPoint {
    case .set(let point): parts.append("focal point \(point.x), \(point.y)")
    case .remove: parts.append("no focal point")
    case nil: break
    }
    return parts.joined(separator: ", ")
  }
}
