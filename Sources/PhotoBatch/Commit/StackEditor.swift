import Notation
import PhotoLibrary
import PhotoRecipes
import PhotoRender
import SystemPackage

/// Renders the layers of a photo's new stack that need it, and prepares all files to be published
/// in one commit.
struct StackEditor {
  let context: EditContext
  let asset: Asset
  let worker: WorkerProcess
  let state: StackState
  let photo: OpenFile
  /// The digest of the original's bytes.
  let digest: Digest

  /// Renders the layers and prepares the files to publish.
  ///
  /// `new` is the recipe for the edit's `.recipe` layer. If an error is thrown, all staged files
  /// are removed.
  func carryOut(
    _ edit: Edit, _ new: RecipeEdit?, reversions: [Reversion] = [], warnings: [String] = []
  ) throws(PhotoFailure) -> PreparedEdit {
    var rendering = Rendering()
    func commit(_ layers: [NewLayer]) -> StackCommit {
      StackCommit(
        context: context, asset: asset, state: state, layers: layers,
        original: original(rendering), moved: edit.moves ? state.handledElsewhere : [],
        handled: new?.recipe, reversions: reversions)
    }
    // Only earlier edits make a sidecar too large.
    if state.sidecar != nil { try SidecarCommit.check(commit(unrendered(edit, new)).sidecar) }
    do throws(PhotoFailure) {
      let commit = commit(try layers(of: edit, new, &rendering))
      var outcome = AssetOutcome(asset.path, .rendered)
      outcome.warnings = warnings + rendering.warnings
      outcome.detail = rendering.detail
      return try commit.prepare(outcome)
    } catch {
      context.discard(rendering.staged)
      throw error
    }
  }

  /// The layers of an edit before rendering, from which the size of the new sidecar is checked.
  private func unrendered(_ edit: Edit, _ new: RecipeEdit?) -> [NewLayer] {
    edit.layers.compactMap { layer in
      switch layer {
      case .kept(let depth), .replayed(let depth), .refreshed(let depth):
        NewLayer(adjustment: state.stack[depth].adjustment, index: state.stack[depth].index)
      case .foreign(let index): NewLayer(adjustment: state.newForeign[index])
      case .recipe(let depth):
        new.map { new in
          let adjustment = adjustment(of: new, on: .original)
          let old = depth.map { state.stack[$0].adjustment }
          return NewLayer(adjustment: old?.replaced(by: adjustment) ?? adjustment, index: nil)
        }
      }
    }
  }

  /// Renders the layers of an edit; the caller publishes them, and discards the staged files on
  /// failure.
  func layers(
    of edit: Edit, staged: inout [StagedFile<OpenFile>]
  ) throws(PhotoFailure) -> [NewLayer] {
    var rendering = Rendering()
    defer { staged += rendering.staged }
    return try layers(of: edit, nil, &rendering)
  }

  private func layers(
    of edit: Edit, _ new: RecipeEdit?, _ rendering: inout Rendering
  ) throws(PhotoFailure) -> [NewLayer] {
    var layers: [NewLayer] = []
    for (place, layer) in edit.layers.enumerated() {
      let image = state.image(below: place, in: edit)
      layers.append(try make(layer, on: layers.last, edit.start, beside: image, new, &rendering))
    }
    try checkUnchanged()
    return layers
  }

  /// The results collected while layers are rendered.
  private struct Rendering {
    var staged: [StagedFile<OpenFile>] = []
    var warnings: [String] = []
    /// The identifiers of the recorded edits that were rendered again.
    var replayed: [String] = []
    /// The outputs that were left out because the photo is too small.
    var leftOut: [String] = []

    /// The text for the report about edits and outputs; nil if there is nothing to say.
    var detail: String? {
      let lists = [
        ("rendered again", replayed), ("not rendered because the photo is too small", leftOut),
      ]
      let words = lists.filter { !$0.1.isEmpty }.map { "\($0): \($1.joined(separator: ", "))" }
      return words.isEmpty ? nil : words.joined(separator: "; ")
    }

    /// The facts from the original's header; nil if no worker has read it.
    var summary: PhotoSummary?
    /// The new renditions of all layers, by path.
    var named: [FilePath: FinishedRendition] = [:]
  }

  private func make(
    _ layer: Edit.Layer, on below: NewLayer?, _ start: Adjustment.Base,
    beside image: ForeignRecord?, _ new: RecipeEdit?, _ rendering: inout Rendering
  ) throws(PhotoFailure) -> NewLayer {
    let base = below?.adjustment.currentBase ?? (below == nil ? start : .original)
    switch layer {
    case .kept(let depth):
      return NewLayer(adjustment: state.stack[depth].adjustment, index: state.stack[depth].index)
    case .foreign(let index): return NewLayer(adjustment: state.newForeign[index])
    case .refreshed(let depth):
      let (index, adjustment) = state.stack[depth]
      return NewLayer(adjustment: state.refreshed(adjustment), index: index)
    case .replayed(let depth):
      let (index, old) = state.stack[depth]
      if state.isPresent(old, on: base, digest) { return NewLayer(adjustment: old, index: index) }
      let edit: RecordedEdit
      do throws(EditFacts.Obstacle) { edit = try RecordedEdit(old, context.registry) } catch {
        throw PhotoFailure(error.reason, error.detail)
      }
      rendering.replayed.append(old.formatIdentifier)
      var adjustment = old
      adjustment.base = base
      adjustment.record(
        film: try state.filmDigest(of: asset, beside: image, for: edit.recipe, after: old),
        edit.recipe, focal: context.focalPoint(of: asset))
      var layer = try render(
        RecipeForms(edit.recipe), edit.files, as: adjustment, index, below, image, old, &rendering)
      layer.adjustment = old.replaced(by: layer.adjustment)
      return layer
    case .recipe(let depth):
      guard let new else { throw PhotoFailure(.buried, "the photo has no edit to render") }
      let index = depth.map { state.stack[$0].index }
      let old = depth.map { state.stack[$0].adjustment }
      var adjustment = adjustment(of: new, on: base)
      if let old, old.settings == new.settings { adjustment.lenses = old.lenses }
      var layer = try render(
        new.forms, new.files.entries.mapValues(\.file), as: adjustment, index, below,
        image, old, &rendering)
      if let old {
        layer.adjustment = old.replaced(by: layer.adjustment)
      } else if let note = state.sidecar?.reversion(handledBy: new.recipe) {
        layer.adjustment = layer.adjustment.redone(from: note)
      }
      return layer
    }
  }

  private func adjustment(of edit: RecipeEdit, on base: Adjustment.Base) -> Adjustment {
    var adjustment = Adjustment(
      formatIdentifier: edit.recipe.identifier, formatVersion: "\(edit.recipe.version)",
      variant: edit.recipe.variant, base: base, date: context.date, overrides: edit.overrides,
      recipe: edit.forms.record, renditions: [], settings: edit.settings,
      engine: .object(JSON.Object()))
    adjustment.files = edit.digests
    return adjustment
  }

  /// Renders the outputs of a recipe from the adjustment's base; `old` is the recorded adjustment
  /// that the new one replaces, and `filmImage` the foreign or adopted image whose film is used.
  private func render(
    _ forms: RecipeForms, _ files: [String: OpenFile], as adjustment: Adjustment, _ index: Int?,
    _ below: NewLayer?, _ filmImage: ForeignRecord?, _ old: Adjustment?,
    _ rendering: inout Rendering
  ) throws(PhotoFailure) -> NewLayer {
    let image: StartImage
    let start: Homography?
    if let below, let current = below.current {
      start = below.adjustment.current.flatMap(below.adjustment.frame)
      image = StartImage(
        file: current.staged.file, origin: start.map { .init(file: photo, frame: $0) })
    } else {
      start = state.frame(of: adjustment.base)
      image = StartImage(
        file: try state.open(adjustment.base, photo: photo),
        origin: state.origin(of: adjustment.base, photo: photo))
    }
    let recipe = forms.order.recipe
    let renderer = JobRenderer(context: context, asset: asset, worker: worker)
    let made = try renderer.render(
      forms.order, adjustment.settings, from: image, of: digest, files: files,
      lenses: adjustment.lenses.compactMap { FoundLens($0) },
      look: old?.look.flatMap { RecordedLook($0) },
      film: recipe.outputs.contains(where: recipe.keepsFilm)
        ? try film(
          of: adjustment.base, below, beside: filmImage, &rendering.warnings) : nil,
      description: context.description(of: asset, on: adjustment.base))
    rendering.staged += made.files.map(\.staged)
    rendering.leftOut += made.leftOut
    rendering.warnings += made.warnings
    if let old { try checkFilms(made, of: adjustment, after: old) }
    if adjustment.base == .original { rendering.summary = made.summary }
    let finished = try made.named(
      by: forms.paths, of: asset, captureDate: captureDate(rendering.summary),
      taken: &rendering.named, context)
    var adjustment = adjustment
    if !context.rendersFilms {
      adjustment.record(film: nil, recipe, focal: context.focalPoint(of: asset))
    }
    adjustment.renditions = finished.map(\.record)
    let frames = made.files.compactMap { file in
      file.facts.frame.map { (file.facts.output, $0) }
    }
    adjustment.record(
      Dictionary(frames) { first, _ in first }, after: start, recipe)
    // The records of the same lens and of the same look may have keys of a newer phbatch.
    adjustment.lenses = made.summary.lenses.map { lens in
      old?.lenses.first { FoundLens($0) == lens } ?? lens.json
    }
    adjustment.originalSHA256 = nil
    adjustment.descriptionSHA256 = made.descriptionSHA256
    adjustment.look = made.look.map { look in
      old?.look.flatMap { RecordedLook($0) == look ? $0 : nil } ?? look.json
    }
    adjustment.engine = .object([
      "libvips": .string(made.libvips), "phbatch": .string(Engine.version),
      "revision": .integer(Engine.revision),
    ])
    return NewLayer(adjustment: adjustment, index: index, finished: finished)
  }

  /// Throws if the content of a film changed and it can no longer be rendered; a cut-off copy of a
  /// film would otherwise remove the film's rendition.
  private func checkFilms(
    _ made: JobRenderer.Rendered, of adjustment: Adjustment, after old: Adjustment
  ) throws(PhotoFailure) {
    guard let now = adjustment.files[PairedFilm.source], let before = old.files[PairedFilm.source],
      now != before
    else { return }
    for (output, _, _) in made.files {
      let film = PairedFilm.name(of: output.name)
      guard old.renditions.contains(where: { $0.output == film }),
        !made.files.contains(where: { $0.facts.output == film })
      else { continue }
      let fault =
        "the film of this Live Photo changed and cannot be rendered; its renditions were kept"
      throw PhotoFailure(
        .unreadable, ([fault] + made.warnings).joined(separator: "\n"),
        hint: "put a whole film in its place, or use \"live\": \"still\" to give up its renditions")
    }
  }

  /// The film that an adjustment edits, with its digest; nil if there is none.
  ///
  /// It is the rendered film if the adjustment starts from a rendition with a record; else it is
  /// beside `image`, a foreign or adopted image, or the film of the original.
  private func film(
    of base: Adjustment.Base, _ below: NewLayer?, beside image: ForeignRecord?,
    _ warnings: inout [String]
  ) throws(PhotoFailure) -> (file: OpenFile, digest: String)? {
    if let current = below?.current {
      let film = PairedFilm.name(of: current.record.output)
      return below?.finished?.first { $0.record.output == film }
        .map { ($0.staged.file, $0.record.sha256) }
    }
    switch state.film(of: base) {
    case .none: return nil
    case .recorded(let record):
      let film = Adjustment.Base.rendition(record.file, sha256: record.sha256)
      return (try state.open(film, photo: photo), record.sha256)
    case .unknown: break
    }
    switch try state.film(of: asset, beside: image) {
    case .none:
      if let name = image?.current?.file.displayed,
        state.stack.contains(where: \.adjustment.hasFilm)
      {
        warnings.append("'\(name)' has no film beside it, so its edit has none")
      }
      return nil
    case .film(let path):
      let files = image.map { context.root.files(of: $0) } ?? context.root.library
      let file = try PhotoFailure.attempt { try files.open(path) }
      return (file, try state.digest(ofFilm: path, beside: image))
    case .other(let path):
      warnings.append(
        "'\(path.displayed)' is left out: it does not state the identifier of the Live Photo, so"
          + " it is damaged or belongs to another photo")
      return nil
    }
  }

  private func checkUnchanged() throws(PhotoFailure) {
    let after = try PhotoFailure.attempt { try context.root.library.status(of: photo).identity }
    let now = try PhotoFailure.attempt {
      try context.root.library.status(at: asset.path)?.identity
    }
    if after != asset.file.status.identity || now != after {
      throw PhotoFailure(.unreadable, "the photo changed while it was read", hint: "run again")
    }
  }

  private func captureDate(_ summary: PhotoSummary?) -> String {
    summary.map { $0.captureDate ?? modificationDate } ?? state.sidecar?.original.date
      ?? modificationDate
  }

  private var modificationDate: String {
    "\(CivilTime(nanoseconds: asset.file.status.identity.modified))"
  }

  /// The record of the original for the new sidecar.
  ///
  /// Size, title and date come from the worker; if no worker has read the original in this run,
  /// they come from the previous sidecar.
  private func original(_ rendering: Rendering) -> OriginalRecord {
    let known = state.sidecar?.original
    return OriginalRecord(
      file: RecordedName(bytes: Array(asset.file.name.bytes)), bytes: Int(digest.count),
      sha256: "\(digest)", width: rendering.summary?.size.width ?? known?.width ?? 0,
      height: rendering.summary?.size.height ?? known?.height ?? 0,
      date: captureDate(rendering.summary),
      title: rendering.summary.map(\.title) ?? known?.title)
  }
}
