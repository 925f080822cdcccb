import PhotoLibrary
import PhotoRecipes
import Synchronization
public import SystemPackage

extension Batch {
  /// Renders previews of the photos' edits; writes nothing to the library.
  ///
  /// - Parameters:
  ///   - edge: The longer edge of the pictures, in pixels.
  ///   - isWanted: Selects photos by their paths, which are relative to the library's root.
  /// - Returns: The previews of at most `PreviewReport.most` selected photos, and the number of
  ///   further ones.
  /// - Throws: `InvalidArgument` if the edge has no pixel; the error that ended the command before
  ///   its first photo, or `CancellationError`.
  public func preview(
    edge: Int, where isWanted: (FilePath) -> Bool
  ) async throws -> PreviewReport {
    if edge < 1 {
      throw InvalidArgument(
        "pictures cannot have an edge of \(edge) pixels", hint: "use 64 to 4096 pixels")
    }
    try checkExternal()
    let files = try await pool.open(recipe, document, options)
    try checkLibrary()
    if options.requiresSandbox { try await pool.checkSandbox() }
    let session = try await LibraryThread.run { try self.readingSession() }
    try checkStop()
    let wanted = session.contents.assets.filter { isWanted($0.path) }
    let shown = Array(wanted.prefix(PreviewReport.most))
    let registry = FileRegistry(of: session.root, adding: files)
    let context = BatchContext(
      edit: session.context(
        options, originals: session.contents.originals, registry: registry),
      document: document, recipe: recipe, files: files)
    let previews = PreviewCollection()
    await pool.run(shown) { asset, worker in
      previews.add(Self.preview(of: asset, edge, context, worker))
    }
    if pool.isStopped { throw CancellationError() }
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

/// The finished previews, shared by the worker threads.
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
