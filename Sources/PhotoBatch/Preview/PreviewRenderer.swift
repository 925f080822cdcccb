import PhotoLibrary
import PhotoRecipes
import PhotoRender
import SystemPackage

/// Has a worker show what a photo will look like; nothing is written but files without names.
struct PreviewRenderer {
  let context: BatchContext
  let asset: Asset
  let worker: WorkerProcess
  /// The longer edge of the pictures, in pixels.
  let edge: Int

  /// The photo as a run would leave it; `outcome` is what the run would say.
  func preview(_ study: EditStudy, _ outcome: AssetOutcome) -> PhotoPreview {
    var preview = PhotoPreview(outcome)
    if case .rendition(let name, _) = study.base { preview.base = name.text }
    preview.settings = settings(of: study.edit)
    do throws(PhotoFailure) {
      preview.pictures = try pictures(study)
    } catch {
      preview.failure = error.detail ?? error.reason.rawValue
      if study.startsFromReplayed {
        preview.failure = "an edit below is rendered again first, and this one from its result"
      } else if outcome.isDue {
        preview.outcome = AssetOutcome(asset.path, error)
      }
    }
    return preview
  }

  private func pictures(_ study: EditStudy) throws(PhotoFailure) -> PhotoPreview.Pictures {
    let base = try study.openBase()
    let named = study.edit.files.entries.sorted { $0.key < $1.key }
    var order = WorkOrder(recipe: study.edit.recipe)
    order.files = named.map(\.key)
    order.targets = [Graph.Preview.before, Graph.Preview.after]
    order.values = WorkOrder.textValues(of: study.edit.recipe, asset)
    order.allowsExternal = context.options.allowsExternal
    order.pixelLimit = context.options.pixelLimit
    order.focal = context.edit.focalPoint(of: asset)
    order.displayEdge = edge
    let targets = try order.targets.map { _ throws(PhotoFailure) in try Self.temporaryFile() }
    let reply: WorkerReply
    do throws(WorkerProcess.Failure) {
      reply = try OpenFile.withDescriptors(of: [base] + named.map(\.value.file)) {
        descriptors throws(WorkerProcess.Failure) in
        try worker.ask(
          .preview(order), descriptors: descriptors + targets.map(\.descriptor),
          time: context.options.timeout)
      }
    } catch { throw PhotoFailure(error) }
    guard case .rendered(let summary, let sizes, _) = reply else {
      throw PhotoFailure(.decoderCrash, "the worker gave no preview")
    }
    return PhotoPreview.Pictures(
      before: try Self.content(of: targets[0]), after: try Self.content(of: targets[1]),
      photo: summary.size, outputs: sizes.map { ($0.output, $0.size) })
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

  /// The settings that somebody chose, with who did.
  private func settings(of edit: RecipeEdit) -> [PhotoPreview.Setting] {
    let own = Set(edit.overrides.members.map(\.key))
    return context.document.settings(of: edit.recipe, context.options.assignments).compactMap {
      let isOwn = own.contains { [key = $0.place] own in key == own || key.hasSuffix("/\(own)") }
      if !isOwn && $0.origin == "default" { return nil }
      // The recipe's folder is no news to who named it.
      let origin = FilePath($0.origin).lastComponent?.string ?? $0.origin
      return PhotoPreview.Setting(
        place: $0.place, value: $0.value, origin: isOwn ? "this photo's own" : origin)
    }
  }
}
