import Notation
import PhotoLibrary
import PhotoMetadata
import PhotoRecipes
import PhotoRender
import SystemPackage

/// Renders the outputs of a recipe from one image in a worker, into staged files.
struct JobRenderer {
  let context: EditContext
  let asset: Asset
  let worker: WorkerProcess

  /// The finished renditions, in the order of the recipe's outputs; then the films that belong to
  /// them, each with the output of its photo.
  struct Rendered {
    var files: [(output: Output, facts: Rendering.Rendition, staged: StagedFile<OpenFile>)]
    /// The outputs that were left out because the image is too small for them.
    var leftOut: [String]
    /// The facts that the worker read from the header of the image.
    var summary: PhotoSummary
    var warnings: [String]
    var libvips: String
    /// The look that was fitted to a raw photo; nil if its look is not fitted.
    var look: RecordedLook?
    /// The digest of the description from XMP files beside the photo; nil if there is none.
    var descriptionSHA256: String?
  }

  /// Reads an image's header in a worker; `inputs` are the allowed formats.
  func probe(_ image: OpenFile, _ inputs: InputSettings) throws(PhotoFailure) -> PhotoSummary? {
    let check = failureCheck(image, "header \(inputs.sparse?.compactText ?? "")")
    try check.throwIfKnown()
    let engine = try context.engine(of: worker)
    let reply: WorkerReply
    do throws(PhotoFailure) { reply = try ask(.probe(inputs), [image]) } catch {
      check.remember(error, of: engine)
      throw error
    }
    guard case .probed(let summary) = reply else { return nil }
    return summary
  }

  /// Predicts in a worker the time in seconds and the memory for rendering a recipe from an image;
  /// nil if the image cannot be rendered.
  ///
  /// A failure is not recorded, because rendering the photo will report the same failure.
  func weigh(
    _ image: OpenFile, _ recipe: WorkOrder, files: [String: OpenFile]
  ) throws(PhotoFailure) -> (seconds: Double, needs: MemoryNeeds)? {
    let named = files.sorted { $0.key < $1.key }
    var order = recipe
    order.files = named.map(\.key)
    order.values = WorkOrder.textValues(of: recipe.recipe, asset)
    order.limits = context.options.limits
    do throws(PhotoFailure) {
      guard
        case .weighed(let seconds, let needs) = try ask(
          .weigh(order), [image] + named.map(\.value))
      else { return nil }
      return (seconds, needs)
    } catch {
      if error.isCancelled { throw error }
      return nil
    }
  }

  /// Renders all outputs of a recipe from one image.
  ///
  /// `original` is the digest of the photo's original, and `settings` the settings digest. `files`
  /// are the files that the recipe names, by their paths as written. `lenses` are the lenses of the
  /// earlier rendering of the same edit, and `look` is the look that was fitted to a raw photo
  /// then. `film` is the film beside the image, with its digest, and `description` that of XMP files
  /// beside the photo. If an error is thrown, all staged files are removed.
  func render(
    _ recipe: WorkOrder, _ settings: String, from image: StartImage, of original: Digest,
    files: [String: OpenFile], lenses: [FoundLens] = [], look: RecordedLook? = nil,
    film: (file: OpenFile, digest: String)? = nil, description: XMP? = nil
  ) throws(PhotoFailure) -> Rendered {
    var staged: [StagedFile<OpenFile>] = []
    do throws(PhotoFailure) {
      let folder = asset.path.removingLastComponent()
      let outputs = recipe.recipe.outputs
      let filmed = film == nil ? [] : outputs.filter(recipe.recipe.keepsFilm)
      for _ in outputs + filmed {
        staged.append(try PhotoFailure.attempt { try context.publisher.stage(in: folder) })
      }
      var order = recipe
      order.originalDigest = "\(original)"
      (order.lenses, order.look) = (lenses, look)
      order.description = description
      (order.hasFilm, order.filmDigest) = (film != nil, film?.digest)
      order.targets =
        outputs.map(\.name) + filmed.map { PairedFilm.name(of: $0.name) }
      let records = FilmRecords(
        of: image.file, with: recipe.recipe, in: context.root.files,
        key: ["\(original)", settings, try context.engine(of: worker)])
      order.records = records.outputs
      do throws(PhotoFailure) {
        let made = try rendered(
          order, settings, image, files, film?.file, staged, records.opened)
        records.remove()
        return made
      } catch {
        if !error.isInterruption { records.remove() }
        throw error
      }
    } catch {
      context.discard(staged)
      throw error
    }
  }

  private func rendered(
    _ order: WorkOrder, _ settings: String, _ image: StartImage, _ files: [String: OpenFile],
    _ film: OpenFile?, _ staged: [StagedFile<OpenFile>], _ records: [OpenFile]
  ) throws(PhotoFailure) -> Rendered {
    let recipe = order.recipe
    let named = files.sorted { $0.key < $1.key }
    var order = order
    order.files = named.map(\.key)
    order.values = WorkOrder.textValues(of: recipe, asset)
    (order.focal, order.frame) = (context.focalPoint(of: asset), image.origin?.frame)
    order.allowsExternal = context.options.allowsExternal
    order.limits = context.options.limits
    order.copiesOriginals = context.root.isMirror
    order.canAskForFilms = worker.films != nil
    let check = failureCheck(image.file, settings)
    try check.throwIfKnown()
    let engine = try context.engine(of: worker)
    let (reply, crash): (WorkerReply, String?)
    do throws(PhotoFailure) {
      let read =
        [image.file] + named.map(\.value) + [film, image.origin?.file].compactMap(\.self)
      (reply, crash) = try render(order, read + staged.map(\.file) + records)
    } catch {
      check.remember(error, of: engine)
      try checkRoom()
      throw error
    }
    guard case .rendered(let summary, let facts, var warnings, let look) = reply else {
      throw PhotoFailure(.decoderCrash, "the worker returned no renditions")
    }
    if let crash { warnings.append("\(crash); the embedded JPEG is rendered instead") }
    try context.options.refuse(warnings)
    var made = Rendered(
      files: [], leftOut: [], summary: summary, warnings: warnings, libvips: try workerVersion(),
      look: look, descriptionSHA256: order.description.map(EditContext.digest(of:)))
    for (output, staged) in zip(recipe.outputs, staged) {
      if let facts = facts.first(where: { $0.output == output.name }) {
        RenditionTime.set(
          output.metadata.fileTime, of: staged.file, taken: summary.captureDate,
          modified: asset.file.status.identity.modified)
        made.files.append((output, facts, staged))
      } else if output.minWidth != nil {
        made.leftOut.append(output.name)
        context.discard([staged])
      } else {
        throw PhotoFailure(.decoderCrash, "the worker did not return '\(output.name)'")
      }
    }
    for (name, staged) in zip(order.targets, staged).dropFirst(recipe.outputs.count) {
      let output = recipe.outputs.first { PairedFilm.name(of: $0.name) == name }
      if let output, let facts = facts.first(where: { $0.output == name }) {
        RenditionTime.set(
          output.metadata.fileTime, of: staged.file, taken: summary.captureDate,
          modified: asset.file.status.identity.modified)
        made.files.append((output, facts, staged))
      } else {
        context.discard([staged])
      }
    }
    return made
  }

  /// Throws if the disk is full: writes 64 KiB to another staged file after rendering failed.
  ///
  /// Not every writer of the worker reports that a write failed, for example that of films. The
  /// staged files of the renditions may have bytes, which could be written again even on a full disk.
  private func checkRoom() throws(PhotoFailure) {
    let folder = asset.path.removingLastComponent()
    let staged = try PhotoFailure.attempt { try context.publisher.stage(in: folder) }
    defer { context.discard([staged]) }
    let some = [UInt8](repeating: 0, count: 1 << 16)
    try PhotoFailure.attempt { try context.root.files.write(some, to: staged.file) }
  }

  private func failureCheck(_ image: OpenFile, _ settings: String) -> FailureCheck {
    FailureCheck(context: context, worker: worker, file: image, settings: settings) {
      () throws(PhotoFailure) in
      try PhotoFailure.attempt { "\(try Digest(of: image, in: context.root.library))" }
    }
  }

  private func workerVersion() throws(PhotoFailure) -> String {
    do throws(WorkerProcess.Failure) { return try worker.libvips() } catch {
      throw PhotoFailure(error)
    }
  }

  /// Renders by an order.
  ///
  /// If the decoder crashes on a raw photo, and the recipe allows it, renders the embedded JPEG;
  /// `crash` then describes the crash.
  private func render(
    _ order: WorkOrder, _ files: [OpenFile]
  ) throws(PhotoFailure) -> (WorkerReply, crash: String?) {
    do throws(PhotoFailure) {
      return (try ask(.render(order), files), nil)
    } catch {
      let settings = order.recipe.inputs.raw
      guard error.reason == .decoderCrash, error.code == nil, let crash = error.detail,
        settings.fallback == .preview, settings.look != .preview,
        FileClaim(asset.file.name).family == .raw
      else { throw error }
      do throws(PhotoFailure) {
        return (try ask(.render(order.ofEmbeddedPreview), files), crash)
      } catch let other {
        // A stop says nothing about the photo, so it is not remembered as a crash.
        throw other.isCancelled ? other : error
      }
    }
  }

  private func ask(
    _ request: WorkerRequest, _ files: [OpenFile]
  ) throws(PhotoFailure) -> WorkerReply {
    do throws(WorkerProcess.Failure) {
      return try OpenFile.withDescriptors(of: files) { descriptors throws(WorkerProcess.Failure) in
        try worker.ask(request, descriptors: descriptors, time: context.options.timeout) {
          context.report(.rendering(asset.path, frames: $0, of: $1))
        }
      }
    } catch { throw PhotoFailure(error) }
  }
}

extension WorkOrder {
  /// The values of placeholders such as `{stem}` in a recipe's texts, from the photo's file and the
  /// recipe.
  static func textValues(of recipe: Recipe, _ asset: Asset) -> [String: String] {
    [
      "stem": String(decoding: asset.file.name.stem, as: UTF8.self),
      "name": "\(asset.file.name)",
      "recipe": recipe.shortName, "variant": recipe.variant ?? "",
    ]
  }
}
