package import Notation
package import PhotoLibrary
package import PhotoRecipes
import Synchronization
package import SystemPackage

/// A library whose photos a user edits with one recipe, before anything is saved.
///
/// This class never writes to the library. All functions may block the calling thread.
package final class LiveLibrary: Sendable {
  /// One photo in the list.
  package struct Photo: Sendable, Hashable {
    /// The path from the library's root.
    package let path: FilePath
    /// True if the photo's sidecar records the photo's own settings for the recipe.
    package let hasOwn: Bool
    /// True if the photo's sidecar records renditions by the recipe.
    package let isRendered: Bool
  }

  /// A photo with all data that its live pictures need.
  package struct Opened: Sendable {
    package let subject: LiveWorker.Subject
    /// The photo's own settings for the recipe, as its sidecar records them.
    package let own: JSON.Object
    /// The rendition that the recipe starts from; nil for the original.
    package let base: String?
    /// The outcome that a run would have for the photo.
    package let outcome: AssetOutcome
  }

  private let batch: Batch
  private struct State {
    var context: BatchContext
    var photos: [Asset]
    var generation = 0
  }
  private let state: Mutex<State>

  /// Reads a library.
  ///
  /// - Throws: `InvalidDocument` for an invalid recipe, `MissingInput` for a missing library,
  ///   `ExternalNotAllowed` for a recipe that runs programs without permission.
  package init(
    _ document: RecipeDocument, library: FilePath, options: BatchOptions
  ) throws {
    batch = try Batch(document, library: library, options: options)
    try batch.checkExternal()
    try batch.checkLibrary()
    try Self.checkOutput(options.output)
    let files = try batch.openFiles()
    let context = try Self.context(batch, document, batch.recipe, files)
    state = Mutex(State(context: context, photos: context.contents.assets))
  }

  /// The page opens a library without writing, so that it cannot create the folder.
  private static func checkOutput(_ folder: FilePath?) throws {
    guard let folder else { return }
    do throws(FileSystemError) { _ = try RealFileSystem(root: folder) } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
      throw MissingInput(
        "there is no output folder '\(folder.displayed)'",
        hint: "create it, or let 'phbatch run --output' create it")
    }
  }

  private static func context(
    _ batch: Batch, _ document: RecipeDocument, _ recipe: Recipe, _ files: NamedFiles
  ) throws -> BatchContext {
    let session = try batch.readingSession()
    let registry = FileRegistry(of: session.root, adding: files)
    return BatchContext(
      edit: session.context(
        batch.options, originals: session.contents.originals, registry: registry),
      document: document, recipe: recipe, files: files)
  }

  /// The absolute path of the library's root.
  package var root: FilePath { state.withLock { $0.context.root.library.path } }

  /// The folder for sidecars, renditions and state.
  package var outputRoot: OutputRoot { state.withLock { $0.context.root } }

  /// The number of photos.
  package var count: Int { state.withLock { $0.photos.count } }

  /// The path of a photo from the library's root.
  package func path(_ number: Int) -> FilePath { state.withLock { $0.photos[number].path } }

  /// A part of the photos in the order of the scan; the order stays the same until the studio ends.
  package func photos(from start: Int, atMost limit: Int) -> [Photo] {
    let (context, assets) = state.withLock { ($0.context, $0.photos) }
    return assets.dropFirst(start).prefix(limit).map { asset in
      let edit = context.edit(of: asset, by: context.recipe)
      return Photo(
        path: asset.path, hasOwn: edit?.overrides.members.isEmpty == false,
        isRendered: edit?.renditions.isEmpty == false)
    }
  }

  /// A photo's own settings for a state of the recipe, as its sidecar records them.
  package func own(_ number: Int, for recipe: Recipe) -> JSON.Object {
    own([number], for: recipe)[number] ?? JSON.Object()
  }

  /// The own settings of several photos, by their numbers.
  package func own(_ numbers: some Sequence<Int>, for recipe: Recipe) -> [Int: JSON.Object] {
    let (context, assets) = state.withLock { ($0.context, $0.photos) }
    var found: [Int: JSON.Object] = [:]
    for number in numbers where assets.indices.contains(number) {
      found[number] =
        context.edit(of: assets[number], by: recipe)?.overrides ?? JSON.Object()
    }
    return found
  }

  /// The own settings that the sidecars of several photos have now, by the photos' numbers.
  ///
  /// `own` returns those that they had when the library was read.
  package func storedOwn(
    _ numbers: some Collection<Int>, for recipe: Recipe
  ) -> [Int: JSON.Object] {
    var (context, assets) = state.withLock { ($0.context, $0.photos) }
    context.edit.contents.reread(numbers.map { assets[$0].path }, in: context.root)
    return Dictionary(
      uniqueKeysWithValues: numbers.map {
        ($0, context.edit(of: assets[$0], by: recipe)?.overrides ?? JSON.Object())
      })
  }

  /// True if a photo's sidecar is another file than the one that was read.
  package func hasOtherSidecar(_ number: Int) -> Bool {
    let (context, path) = state.withLock { ($0.context, $0.photos[number].path) }
    let known: FileIdentity?
    switch context.contents.sidecars[path] {
    case .usable(_, let identity): known = identity
    case .unusable: return false
    case nil: known = nil
    }
    do throws(FileSystemError) {
      return try context.root.files.status(at: Sidecar.path(of: path))?.identity != known
    } catch { return false }
  }

  /// The numbers of the photos with these paths.
  package func numbers(of paths: Set<String>) -> [String: Int] {
    let assets = state.withLock { $0.photos }
    var numbers: [String: Int] = [:]
    for (number, asset) in assets.enumerated() where paths.contains(asset.path.string) {
      numbers[asset.path.string] = number
    }
    return numbers
  }

  /// Reads the library again, after the recipe or sidecars were changed.
  ///
  /// If `photos` is given, only the settings of these photos were changed, and only their sidecars
  /// are read.
  package func refresh(_ document: RecipeDocument, only photos: [Int]? = nil) throws {
    let (saved, assets) = state.withLock { ($0.context, $0.photos) }
    let recipe = try document.recipe(assignments: batch.options.assignments).recipe
    var context = BatchContext(
      edit: saved.edit, document: document, recipe: recipe, files: saved.files)
    if let photos {
      context.edit.contents.reread(photos.map { assets[$0].path }, in: context.root)
    } else {
      context = try Self.context(batch, document, recipe, saved.files)
    }
    state.withLock { state in
      state.context = context
      state.generation += 1
    }
  }

  /// Finds the image that the recipe starts from for a photo, and the photo's own settings.
  ///
  /// - Parameters:
  ///   - number: The photo's index in `photos`.
  ///   - document: The recipe in its current, unsaved state.
  /// - Returns: The photo with all data that its live pictures need.
  /// - Throws: `LivePictureFailure` if the photo cannot be edited.
  package func open(
    _ number: Int, _ document: RecipeDocument
  ) throws(LivePictureFailure) -> Opened {
    let (saved, assets, generation) = state.withLock { ($0.context, $0.photos, $0.generation) }
    guard assets.indices.contains(number) else {
      throw LivePictureFailure("the photo no longer exists in the library", hint: "reload the page")
    }
    do {
      let recipe = try document.recipe(assignments: batch.options.assignments).recipe
      let context = BatchContext(
        edit: saved.edit, document: document, recipe: recipe, files: saved.files)
      let thread = batch.pool.threads[0]
      return try thread.runNow {
        try Self.open(
          assets[number], name: "\(number)-\(generation)", context, thread.worker)
      }
    } catch { throw LivePictureFailure(error) }
  }

  private static func open(
    _ asset: Asset, name: String, _ context: BatchContext, _ worker: WorkerProcess
  ) throws -> Opened {
    let planner = PhotoPlanner(context: context, asset: asset, worker: worker)
    let (plan, edit) = try planner.plan(triesAgain: true)
    let outcome = AssetOutcome(plan)
    guard let edit else {
      throw PhotoFailure(outcome.reason, outcome.detail, hint: outcome.hint)
    }
    let renderer = PreviewRenderer(context: context, asset: asset, worker: worker, edge: 1)
    let subject = LiveWorker.Subject(
      name: name, image: try renderer.base(of: edit),
      files: edit.edit.files.entries.mapValues(\.file),
      values: WorkOrder.textValues(of: context.recipe, asset),
      focal: context.edit.focalPoint(of: asset),
      description: context.edit.description(of: asset, on: edit.base),
      isFilm: edit.edit.recipe.hasFilms)
    return Opened(
      subject: subject, own: edit.edit.overrides, base: edit.base.file?.text, outcome: outcome)
  }

  /// Ends the workers.
  package func stop() { batch.stop() }
}

extension BatchContext {
  /// The newest edit by a recipe in the stack that a run of the recipe uses; nil if there is none.
  fileprivate func edit(of asset: Asset, by recipe: Recipe) -> Adjustment? {
    let stack = contents.sidecars[asset.path]?.sidecar?.stack(recipe.variant) ?? []
    return stack.last { recipe.handles($0.adjustment) }?.adjustment
  }
}

/// The reason why a live picture cannot be shown.
package struct LivePictureFailure: UserError, Hashable {
  package let message: String
  package let hint: String

  init(_ message: String, hint: String) {
    (self.message, self.hint) = (message, hint)
  }

  init(_ error: any Error) {
    switch error {
    case let failure as LivePictureFailure: self = failure
    case let failure as PhotoFailure:
      message = failure.detail ?? failure.reason.rawValue
      hint = failure.hint ?? ""
    case let known as any UserError: (message, hint) = (known.message, known.hint)
    default: (message, hint) = ("\(error)", "")
    }
  }
}
