import Notation
import PhotoLibrary
import PhotoRecipes
import PhotoRender
import SystemPackage

/// Renders a photo's preview in a worker; writes only temporary files without names.
struct PreviewRenderer {
  let context: BatchContext
  let asset: Asset
  let worker: WorkerProcess
  /// The longer edge of the pictures, in pixels.
  let edge: Int

  /// Returns the preview of a photo; `outcome` is the outcome that a run would have.
  func preview(_ planned: PlannedEdit, _ outcome: AssetOutcome) -> PhotoPreview {
    var preview = PhotoPreview(outcome)
    preview.base = planned.base.file?.text
    preview.settings = settings(of: planned.edit)
    do throws(PhotoFailure) {
      preview.pictures = try pictures(planned)
    } catch {
      preview.failure = error.detail ?? error.reason.rawValue
      if outcome.isDue { preview.outcome = AssetOutcome(asset.path, error) }
    }
    return preview
  }

  private func pictures(_ planned: PlannedEdit) throws(PhotoFailure) -> PhotoPreview.Pictures {
    let recipe = planned.edit.recipe
    let base = try base(of: planned)
    var order = order(for: recipe, on: planned.base, base)
    let others = recipe.outputs.map { Graph.Preview.output($0.name) }
    order.targets = [Graph.Preview.before, Graph.Preview.after] + others
    order.allowsExternal = context.options.allowsExternal
    order.displayEdge = edge
    let files = planned.edit.files.entries.mapValues(\.file)
    let (summary, sizes, targets) = try ask(order, base, files) { .preview($0) }
    var pictures = try targets.map { target throws(PhotoFailure) in try Self.content(of: target) }
    let (before, after) = (pictures.removeFirst(), pictures.removeFirst())
    return PhotoPreview.Pictures(
      before: before, after: after, photo: summary.size,
      outputs: zip(sizes, pictures).map { size, picture in
        (size.output, size.size, picture.isEmpty ? nil : picture)
      })
  }

  /// Opens the image that the recipe starts from.
  ///
  /// If other edits must be rendered again before the recipe's own, they are rendered first, into
  /// temporary files.
  func base(of planned: PlannedEdit) throws(PhotoFailure) -> StartImage {
    let (state, photo) = (planned.state, planned.photo)
    let (start, edits) = planned.replayed ?? (planned.base, [])
    var image = StartImage(
      file: try state.open(start, photo: photo), origin: state.origin(of: start, photo: photo))
    var frame = state.frame(of: start)
    for adjustment in edits {
      let (file, own) = try rendered(adjustment, from: image)
      frame = if let own { frame.map(own.after) } else { nil }
      image = StartImage(file: file, origin: frame.map { .init(file: photo, frame: $0) })
    }
    return image
  }

  /// Renders the current rendition of a recorded edit at full size into a temporary file.
  ///
  /// `frame` is the map from positions in the image to positions in the rendition; nil if it is not
  /// known.
  private func rendered(
    _ adjustment: Adjustment, from image: StartImage
  ) throws(PhotoFailure) -> (file: OpenFile, frame: Homography?) {
    let edit: RecordedEdit
    do throws(EditFacts.Obstacle) {
      edit = try RecordedEdit(adjustment, context.edit.registry)
    } catch { throw PhotoFailure(error.reason, error.detail) }
    var recipe = edit.recipe
    if let name = adjustment.current?.output {
      recipe.outputs.removeAll { $0.name != name }
    } else if let marked = recipe.outputs.first(where: \.isCurrent) {
      recipe.outputs = [marked]
    }
    var order = order(for: recipe, on: adjustment.base, image)
    order.targets = recipe.outputs.map(\.name)
    let (_, renditions, targets) = try ask(order, image, edit.files) { .render($0) }
    guard let target = targets.first else {
      throw PhotoFailure(.baseMissing, "the edit by \(adjustment.formatIdentifier) has no output")
    }
    let file = try PhotoFailure.attempt { try OpenFile(sharing: target) }
    return (file, renditions.first?.frame)
  }

  private func order(
    for recipe: Recipe, on base: Adjustment.Base, _ image: StartImage
  ) -> WorkOrder {
    var order = WorkOrder(recipe: recipe)
    order.values = WorkOrder.textValues(of: recipe, asset)
    order.limits = context.options.limits
    order.description = context.edit.description(of: asset, on: base)
    (order.focal, order.frame) = (context.edit.focalPoint(of: asset), image.origin?.frame)
    return order
  }

  /// Sends a request to the worker, which writes one picture for each target of the order into a
  /// temporary file.
  private func ask(
    _ unfinished: WorkOrder, _ image: StartImage, _ files: [String: OpenFile],
    _ request: (WorkOrder) -> WorkerRequest
  ) throws(PhotoFailure) -> (PhotoSummary, [Rendering.Rendition], [TemporaryFile]) {
    let named = files.sorted { $0.key < $1.key }
    var order = unfinished
    order.files = named.map(\.key)
    let targets = try order.targets.map { _ throws(PhotoFailure) in try Self.temporaryFile() }
    let reply: WorkerReply
    do throws(WorkerProcess.Failure) {
      let read = [image.file] + named.map(\.value) + [image.origin?.file].compactMap(\.self)
      reply = try OpenFile.withDescriptors(of: read) {
        descriptors throws(WorkerProcess.Failure) in
        try worker.ask(
          request(order), descriptors: descriptors + targets.map(\.descriptor),
          time: context.options.timeout)
      }
    } catch { throw PhotoFailure(error) }
    guard case .rendered(let summary, let sizes, _, _) = reply else {
      throw PhotoFailure(.decoderCrash, "the worker returned no preview")
    }
    return (summary, sizes, targets)
  }

  private static func temporaryFile() throws(PhotoFailure) -> TemporaryFile {
    do throws(ExternalFailure) { return try TemporaryFile() } catch {
      throw PhotoFailure(.encodeFailed, error.message, hint: error.hint)
    }
  }

  private static func content(of file: TemporaryFile) throws(PhotoFailure) -> [UInt8] {
    do throws(RenderError) {
      return try PhotoFile.descriptor(file.descriptor).contents(named: "preview")
    } catch { throw PhotoFailure(.encodeFailed, error.message) }
  }

  /// The settings that differ from their defaults, each with the source of its value.
  private func settings(of edit: RecipeEdit) -> [PhotoPreview.Setting] {
    let own = edit.overrides.members.map { Assignment(key: $0.key, value: $0.value) }
    return context.document.settings(of: edit.recipe, context.options.assignments, own: own)
      .compactMap {
        if $0.origin == "default" { return nil }
        // The user knows the recipe's folder, so only the file name is shown.
        let origin = FilePath($0.origin).lastComponent?.string ?? $0.origin
        return PhotoPreview.Setting(place: $0.place, value: $0.value, origin: origin)
      }
  }
}
