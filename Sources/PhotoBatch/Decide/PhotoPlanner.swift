import Glibc
import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Decides what a run does to one photo; changes nothing.
struct PhotoPlanner {
  private(set) var context: BatchContext
  let asset: Asset
  /// The worker that reads the photo's header if the recipe's conditions need it.
  let worker: WorkerProcess

  /// Plans what a run does with the photo.
  ///
  /// - Parameter triesAgain: True if failures of earlier runs do not count.
  /// - Returns: The plan, and the edit; the edit is nil if the photo is skipped without reading its
  ///   edits.
  /// - Throws: The failure that prevents planning; the caller may turn it into a `PhotoPlan`.
  func plan(
    triesAgain: Bool = false
  ) throws(PhotoFailure) -> (plan: PhotoPlan, edit: PlannedEdit?) {
    switch try inspect() {
    case .left(let plan): return (plan, nil)
    case .inspected(let photo):
      let (plan, edit) = try photo.plan()
      if !triesAgain { try checkFailures(of: edit) }
      return (plan, edit)
    }
  }

  /// Throws if an earlier run could not render an edit, and this run would fail in the same way.
  private func checkFailures(of edit: PlannedEdit) throws(PhotoFailure) {
    guard case .render(let planned) = edit.decision, planned.recipePlace != nil,
      edit.replayed == nil
    else { return }
    let check = FailureCheck(
      context: context.edit, worker: worker,
      file: try edit.state.open(edit.base, photo: edit.photo), settings: edit.edit.settings
    ) { () throws(PhotoFailure) in
      switch edit.base {
      case .original: "\(try digest(of: edit.photo))"
      case .rendition(_, let sha256): sha256
      }
    }
    try check.throwIfKnown()
  }

  /// The result of reading a photo's files: a finished plan that leaves it alone, or facts for
  /// planning.
  private enum Inspection {
    case left(PhotoPlan)
    case inspected(InspectedPhoto)
  }

  private func inspect() throws(PhotoFailure) -> Inspection {
    if !context.recipe.selection.matches(path: asset.path.bytes) {
      return .left(leave(.notSelected).lasting)
    }
    if let original = context.contents.possibleOriginal(of: asset) {
      return .left(unclaimed(besides: original))
    }
    let photo = try attempt { try context.root.library.open(asset.path) }
    let kind = try attempt {
      try FileKind(of: photo, named: asset.file.name, in: context.root.library)
    }
    let inputs = context.recipe.inputs
    if let family = kind.format?.family, let plan = try planBesidePartners(family) {
      return .left(plan)
    }
    if let format = kind.format, format.isFilm, let photo = try livePhoto() {
      let own = context.contents.sidecars[asset.path]?.sidecar?.adjustments ?? []
      return .left(
        leave(
          .notSelected, "it is the film of the Live Photo '\(photo.displayed)'",
          hint: own.isEmpty
            ? nil : "it was edited before its photo was there; 'phbatch revert' removes that edit"
        ).lasting)
    }
    if let format = kind.format, format.isFilm, context.recipe.hasFilms {
      if worker.films == nil {
        return .left(leave(.unsupportedFormat, format.title, hint: FilmProgram.hint))
      }
      return try narrowed(toFilms: true).inspect(photo, format)
    }
    if let format = kind.format, inputs.allows(format) {
      let planner = narrowed(toFilms: false)
      if planner.context.recipe.outputs.isEmpty {
        return .left(leave(.notSelected, "the recipe has only outputs for films").lasting)
      }
      return try planner.inspect(photo, format)
    }
    switch kind {
    case .notPhoto: return .left(leave(.notSelected, "not a photo").lasting)
    case .photo(let format), .unsupported(let format):
      return .left(leave(.unsupportedFormat, format.title, hint: format.remedy).lasting)
    case .unreadable(let claimed, let found):
      let detail =
        "the file is named like \(claimed.title), but contains "
        + (found?.title ?? "an unknown file format")
      let remedy = found?.remedy ?? "open it in an image viewer to check it"
      return .left(leave(.unreadable, detail, hint: remedy).lasting)
    }
  }

  /// The Live Photo whose film the asset is; nil if there is none.
  private func livePhoto() throws(PhotoFailure) -> FilePath? {
    if let photo = context.contents.editedFilms[asset.path] {
      return try context.edit.film(of: photo) == .film(asset.path) ? photo.path : nil
    }
    return try attempt { try context.edit.films.photo(of: asset) }
  }

  private func narrowed(toFilms isForFilms: Bool) -> PhotoPlanner {
    var planner = self
    planner.context = context.narrowed(toFilms: isForFilms)
    return planner
  }

  func leave(_ reason: Reason, _ detail: String? = nil, hint: String? = nil) -> PhotoPlan {
    PhotoPlan(asset.path, .leave(reason), detail, hint: hint)
  }

  /// The plan for a file that may be a rendition of `original`, whose sidecar cannot be read.
  private func unclaimed(besides original: FilePath) -> PhotoPlan {
    let isSetAside = context.contents.sidecars[original]?.sidecar != nil
    let hint =
      if isSetAside {
        "if it is, move it away; if it is a photo, remove the sidecar that ends with '.damaged'"
      } else if context.root.hasPhoto(original) {
        "repair that sidecar, or rename it with 'phbatch repair'"
      } else {
        "that photo is missing; \(LibraryPrune.hintOfUnusableSidecar)"
      }
    return leave(
      .corruptSidecar,
      "the file may be a rendition of '\(original.displayed)', whose sidecar "
        + (isSetAside ? "was renamed by 'repair'" : "cannot be used"),
      hint: hint)
  }

  private func inspect(
    _ photo: OpenFile, _ format: InputFormat
  ) throws(PhotoFailure) -> Inspection {
    if asset.file.name.bytes.count > Sidecar.longestName {
      throw PhotoFailure(
        .nameTooLong, "the photo's name is too long for a sidecar's name",
        hint: "rename the photo to \(Sidecar.longestName) bytes or fewer")
    }
    let recorded = try context.contents.usableSidecar(of: asset)
    if let unmet = try unmetCondition(photo, format) {
      return .left(leave(.notSelected, "\(unmet)").lasting)
    }
    try lookUpRivals()
    let foreign = try ForeignEdits(
      of: asset, in: context.contents, context.root.library, context.edit.digests,
      date: context.edit.date)
    let adopted = try adopted(recorded)
    let sidecar = adopted ?? recorded
    let digest = try sidecar.map { _ throws(PhotoFailure) in try self.digest(of: photo) }
    return .inspected(
      InspectedPhoto(
        context: context, asset: asset, photo: photo, format: format, digest: digest,
        foreign: foreign,
        state: StackState(asset.path, sidecar, context.recipe, foreign: foreign, context.edit),
        adopted: adopted.map { (sidecar: $0.0, identity: $0.1) }))
  }

  private func digest(of photo: OpenFile) throws(PhotoFailure) -> Digest {
    try attempt {
      try context.edit.digests.digest(
        of: photo, at: asset.path, .library, in: context.root.library)
    }
  }

  /// Returns the sidecar that records renditions changed by hand as separate edits; nil without
  /// `--on-modified adopt`, or if no rendition was changed.
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

  private func attempt<Result>(_ body: () throws -> Result) throws(PhotoFailure) -> Result {
    try PhotoFailure.attempt(body)
  }
}

extension PhotoPlanner {
  /// Plans the photo, and adds the plans that other values of `--previous` would give with
  /// permission to remove edits.
  ///
  /// The photo's files are read only once.
  func planWithAlternatives() throws(PhotoFailure) -> PhotoPlan {
    let policies = [PreviousPolicy.resume, .replace, .stack]
    switch try inspect() {
    case .left(var plan):
      plan.alternatives = Dictionary(uniqueKeysWithValues: policies.map { [plan] in ($0, plan) })
      return plan
    case .inspected(let photo):
      var plan = try planned(photo)
      for policy in policies {
        do throws(PhotoFailure) {
          plan.alternatives[policy] = try planned(photo.with(previous: policy))
        } catch {
          if error.isCancelled { throw error }
          plan.alternatives[policy] = PhotoPlan(asset.path, error)
        }
      }
      return plan
    }
  }

  private func planned(_ photo: InspectedPhoto) throws(PhotoFailure) -> PhotoPlan {
    let (plan, edit) = try photo.plan()
    try checkFailures(of: edit)
    return plan
  }
}
