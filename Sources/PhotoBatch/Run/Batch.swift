import Glibc
public import Notation
import PhotoLibrary
public import PhotoRecipes
import PhotoRender
public import SystemPackage

/// A recipe applied to a library.
///
/// ```swift
/// let batch = try Batch(recipe: "web.json", library: "Photos")
/// let summary = try await batch.run { event in print(event) }
/// ```
/// A run starts worker processes. A program that uses this class either calls `Worker.runIfAsked()`
/// first in its `main`, or names another executable for the workers in the options.
///
/// A command reads the library before its first photo, on a thread of its own. A stop or a
/// cancellation has no effect until that is done.
public final class Batch: Sendable {
  public let document: RecipeDocument
  public let recipe: Recipe
  public let library: FilePath
  public let options: BatchOptions
  let pool: WorkerPool

  /// Reads and checks the recipe.
  ///
  /// The library and the files that the recipe names are not read yet; `run` checks them.
  ///
  /// - Throws: `MissingInput` if the recipe's file cannot be read, `InvalidDocument` with all errors
  ///   in the recipe.
  public convenience init(
    recipe: FilePath, library: FilePath, options: BatchOptions = BatchOptions()
  ) throws {
    try self.init(try RecipeDocument(contentsOf: recipe), library: library, options: options)
  }

  public convenience init(
    _ document: RecipeDocument, library: FilePath, options: BatchOptions = BatchOptions()
  ) throws(InvalidDocument) {
    try self.init(document, library: library, options: options, pool: nil)
  }

  /// Uses an existing worker pool, or creates one if `pool` is nil.
  init(
    _ document: RecipeDocument, library: FilePath, options: BatchOptions, pool: WorkerPool?
  ) throws(InvalidDocument) {
    self.document = document
    self.library = library
    self.options = options
    recipe = try document.recipe(assignments: options.assignments).recipe
    self.pool = pool ?? WorkerPool(options, needsFonts: recipe.needsFonts)
  }

  /// Renders the photos that are not up to date.
  ///
  /// - Parameters:
  ///   - mayDiscard: True if the run may remove edits that a user made; nil uses the value of the
  ///     options.
  ///   - observe: Receives the events, on any thread, one call at a time.
  /// - Returns: The summary of the run.
  /// - Throws: The error that ended the run before its first photo, such as `InvalidDocument` with
  ///   all files that the recipe names and that are missing, or `CancellationError`; what was
  ///   committed before a cancellation stays.
  public func run(
    mayDiscard: Bool? = nil, _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    try checkExternal()
    return try await LibraryThread.run {
      var share = BatchShare()
      share.mayDiscard = mayDiscard
      let files = try await self.pool.open(self.recipe, self.document, self.options)
      return try await self.run(files, share, observe).summary
    }
  }

  /// Does a run, or the part of a run that `share` describes.
  ///
  /// `files` are the files that the recipe names, already open.
  ///
  /// - Returns: The summary, and in `isComplete` whether all photos of the part were processed.
  func run(
    _ files: NamedFiles, _ share: BatchShare, _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> (summary: RunSummary, isComplete: Bool) {
    let end = share.time.map { ContinuousClock.now + $0 }
    if let missing = MissingEncoder.first(among: recipe.outputs) { throw missing }
    try checkLibrary()
    if options.requiresSandbox { try await pool.checkSandbox() }
    let (choice, warning) = try await choice(files)
    let border = LibraryBorders.warning(beforeRunOver: library, options.output)
    // The index describes whole folders, so a run over selected photos does not use it.
    var session = try await LibrarySession(
      changing: try OutputRoot.create(library: library, output: options.output), options,
      choice.isAll ? view(files) : nil, usesIndex: true, filesAtATime: filesAtATime(share),
      whileWaiting: share.whileWaiting)
    defer { session.close() }
    try checkStop()
    // A library with too few photos may be unmounted. A watch checks for this itself, so it skips
    // the check here.
    if !options.givesWay { try session.checkCount(options.leastPhotos) }
    var pass = try BatchPass(of: self, over: session, choice, share.choose, observe)
    pass.reportKnown()
    // The rounds of a watch do not report these warnings, because each round would repeat them.
    let inner = share.choose == nil ? LibraryBorders.warnings(of: session.survey) : []
    for text in [warning, border].compactMap(\.self) + inner {
      pass.recorder.record(.warning(text))
    }
    let (givesWay, waits) = (options.givesWay, session.isWanted)
    let isWanted: @Sendable () -> Bool = { givesWay && waits() }
    let registry = FileRegistry(of: session.root, adding: files)
    registry.save(in: session.root)
    savePlaces(in: session.root)
    let isComplete: Bool
    // An atomic run that publishes no rendition writes no manifest either.
    var publishes = true
    if session.survey?.isDivided ?? false {
      isComplete = try await renderParts(
        &session, &pass, registry, files, mayDiscard: share.mayDiscard)
    } else {
      isComplete = await render(
        context(pass, registry, files, mayDiscard: share.mayDiscard), pass.recorder, end, isWanted)
      publishes = !options.isAtomic || pass.recorder.summary.isFlawless
      pass.end()
      if choice.isAll { session.survey?.save(pass.recorder.takeLasting(), session.digests) }
    }
    if pool.isStopped { throw CancellationError() }
    // A watch writes the manifests only after its last part of the work.
    if isComplete && publishes { writeWebSets(in: session.root, pass.recorder) }
    return (pass.summary(choice, isPart: share.choose != nil), isComplete)
  }

  /// The number of files above which the library is read in parts; nil if it is read at once.
  ///
  /// An atomic run needs all photos at its end, and the rounds of a watch choose among all photos.
  private func filesAtATime(_ share: BatchShare) -> Int? {
    let isWhole = share.choose == nil && share.time == nil && !options.givesWay
    return isWhole && !options.isAtomic ? options.filesAtATime : nil
  }

  /// Saves the path templates of the recipe's outputs in the library, so that later runs recognize
  /// renditions that have no sidecar.
  private func savePlaces(in root: OutputRoot) {
    if !root.isMirror { savePlaces(everywhere: root) }
  }

  /// Saves the path templates also in a separate output root, whose photos shards read folder by
  /// folder.
  func savePlaces(everywhere root: OutputRoot) {
    var places = PlaceRegistry(of: root.files)
    places.add(recipe)
    places.save(in: root.files)
  }

  /// Opens the files that the recipe names.
  ///
  /// Blocks the thread until a worker of the pool has checked the files; meanwhile no photo is
  /// rendered.
  ///
  /// - Throws: `InvalidDocument` with all errors of the files and of the drawn texts;
  ///   `UncheckedRecipe` if no worker could check them.
  func openFiles() throws -> NamedFiles { try pool.openNow(recipe, document, options) }

  /// Throws if the recipe names programs and the options do not allow them.
  func checkExternal() throws(ExternalNotAllowed) {
    if !options.allowsExternal, let (id, step) = recipe.externalSteps.first {
      throw ExternalNotAllowed(id, step)
    }
  }

  /// Stops the command that is running; a commit of files that has already begun is completed.
  ///
  /// The workers have ended, so later commands of this batch throw `CancellationError`.
  public func stop() { pool.stop() }

  /// Throws `CancellationError` if the command was stopped while it read the library.
  func checkStop() throws {
    if pool.isStopped || Task.isCancelled { throw CancellationError() }
  }

  /// Opens the library for reading.
  ///
  /// Without a view, outcomes of earlier runs are not used. If `folders` is given, reads only the
  /// folders that the photos in `folders` need, if possible; nil reads the whole library.
  func readingSession(
    _ view: Survey.RecipeView? = nil, around folders: Set<FilePath>? = nil
  ) throws -> LibrarySession {
    let root = try OutputRoot(planning: library, output: options.output)
    if let folders {
      let digests = KnownDigests(LibraryIndex(of: root), in: root)
      let part = LibraryContents(around: folders, of: root, digests, recipe: recipe)
      if let part { return LibrarySession(reading: root, options, part, digests) }
    }
    return LibrarySession(reading: root, options, view)
  }

  /// The recipe and the options in the form by which the index finds outcomes of earlier runs.
  func view(_ files: NamedFiles) -> Survey.RecipeView {
    Survey.RecipeView(recipe: recipe, key: decisionKey(files), listsAll: options.listsUpToDate)
  }

  /// A digest of everything outside the library that affects what a run does with a photo.
  private func decisionKey(_ files: NamedFiles) -> [UInt8] {
    let assignments = options.assignments.map { "\($0.key)=\($0.value.compactText)" }
    let named = files.digests.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let policy =
      "\(options.previous) \(options.onModified) \(options.onForeign) \(options.acceptsChanged) "
      + "\(options.redoes) \(options.refreshes)"
    // The recipe's fingerprint has the revisions of its own filters only, but photos' own settings
    // may add other filters.
    let revisions = Catalog.filters.map { "\($0.name) \($0.revision)" }
    let engine = "\(Engine.version) \(Engine.revision) \(revisions.joined(separator: " "))"
    let fingerprint = recipe.fingerprint(files: files.digests).compactText
    let keepsFilms =
      recipe.outputs.contains(where: recipe.keepsFilm)
      && FilmProgram.path(besides: options.workerExecutable) != nil
    let text =
      [engine, policy, document.tree.compactText, fingerprint, "\(keepsFilms)"]
      + assignments + named
    return Digest(of: text.joined(separator: "\n").utf8).bytes
  }

  func checkLibrary() throws {
    do throws(FileSystemError) { _ = try RealFileSystem(root: library) } catch {
      switch error.errno {
      case .noSuchFileOrDirectory:
        throw MissingInput(
          "there is no library '\(library.displayed)'", hint: "give the path of a folder of photos")
      case .notDirectory:
        throw MissingInput(
          "'\(library.displayed)' is a file, not a folder",
          hint: "give the folder that the photo is in")
      default: throw error
      }
    }
  }

  /// The context that all photos of a pass share.
  func context(
    _ pass: BatchPass, _ registry: FileRegistry, _ files: NamedFiles, mayDiscard: Bool? = nil
  ) -> BatchContext {
    var options = options
    options.mayDiscard = mayDiscard ?? options.mayDiscard
    let edit = pass.session.context(
      options, originals: pass.originals, films: pass.films, registry: registry,
      planned: (pass.planned, RenditionPaths(of: recipe)))
    return BatchContext(edit: edit, document: document, recipe: recipe, files: files)
  }
}
