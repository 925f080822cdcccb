import PhotoLibrary
import PhotoRecipes
import Synchronization
public import SystemPackage

extension Batch {
  /// Shows what a run would make of photos, and writes nothing.
  ///
  /// - Parameters:
  ///   - edge: The longer edge of the pictures, in pixels.
  ///   - isWanted: Tells by a photo's path from the library's root whether to show it.
  /// - Returns: The first photos that are wanted, and how many more there are.
  /// - Throws: What kept any photo from being looked at, or `CancellationError`.
  public func preview(
    edge: Int, where isWanted: (FilePath) -> Bool
  ) async throws -> PreviewReport {
    if !options.allowsExternal, let (id, step) = recipe.externalSteps.first {
      throw ExternalNotAllowed(id, step)
    }
    let files = try await crew.open(recipe, document, options)
    try checkLibrary()
    if options.requiresSandbox { try await crew.checkSandbox() }
    let session = try readingSession()
    let wanted = session.contents.assets.filter { isWanted($0.path) }
    let shown = Array(wanted.prefix(PreviewReport.most))
    let registry = FileRegistry(of: session.root, adding: files)
    let context = BatchContext(
      edit: session.context(
        options, originals: session.contents.originals, registry: registry),
      document: document, recipe: recipe, files: files)
    let previews = PreviewCollection()
    await crew.run(shown) { asset, worker in
      previews.add(Self.preview(of: asset, edge, context, worker))
    }
    if crew.isStopped { throw CancellationError() }
    return PreviewReport(
      photos: previews.inOrder(of: shown.map(\.path)), more: wanted.count - shown.count)
  }

  private static func preview(
    of asset: Asset, _ edge: Int, _ context: BatchContext, _ worker: WorkerProcess
  ) -> PhotoPreview? {
    do throws(PhotoFailure) {
      let planner = PhotoPlanner(context: context, asset: asset, worker: worker)
      let (plan, edit) = try planner.plan()
      guard let edit else { return PhotoPreview(AssetOutcome(plan)) }
      let renderer = PreviewRenderer(context: context, asset: asset, worker: worker, edge: edge)
      return renderer.preview(edit, AssetOutcome(plan))
    } catch {
      return error.isCancelled ? nil : PhotoPreview(AssetOutcome(PhotoPlan(asset.path, error)))
    }
  }
}

/// What lanes have shown so far.
private final class PreviewCollection: Sendable {
  private let previews = Mutex<[FilePath: PhotoPreview]>([:])

  func add(_ preview: PhotoPreview?) {
    guard let preview else { return }
    previews.withLock { $0[preview.path] = preview }
  }

  func inOrder(of paths: [FilePath]) -> [PhotoPreview] {
    previews.withLock { previews in paths.compactMap { previews[$0] } }
  }
}
