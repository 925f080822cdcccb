import Foundation
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
/// A program that uses this calls `Worker.runIfAsked()` first of all in its `main`, or names another
/// executable for the workers in the options.
public final class Batch: Sendable {
  public let document: RecipeDocument
  public let recipe: Recipe
  public let library: FilePath
  public let options: BatchOptions
  let crew: Crew

  /// Reads and checks the recipe; the library is not looked at yet.
  ///
  /// - Throws: `InvalidDocument` with all that is wrong with the recipe.
  public convenience init(
    recipe: FilePath, library: FilePath, options: BatchOptions = BatchOptions()
  ) throws {
    try self.init(try RecipeDocument(contentsOf: recipe), library: library, options: options)
  }

  public convenience init(
    _ document: RecipeDocument, library: FilePath, options: BatchOptions = BatchOptions()
  ) throws(InvalidDocument) {
    try self.init(document, library: library, options: options, crew: nil)
  }

  /// Lets a crew render that others have used; nil: one of its own.
  init(
    _ document: RecipeDocument, library: FilePath, options: BatchOptions, crew: Crew?
  ) throws(InvalidDocument) {
    self.document = document
    self.library = library
    self.options = options
    recipe = try document.recipe(assignments: options.assignments).recipe
    self.crew = crew ?? Crew(options, needsFonts: recipe.needsFonts)
  }

  /// Renders what is not up to date.
  ///
  /// - Parameters:
  ///   - mayDiscard: Whether edits may be dropped that a person made; nil: as the options say.
  ///   - observe: Hears what happens, on any thread, one call at a time.
  /// - Returns: What it came to.
  /// - Throws: What ended the run before any photo was looked at, or `CancellationError`; what was
  ///   committed until then is whole.
  public func run(
    mayDiscard: Bool? = nil, _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    try checkExternal()
    var share = BatchShare()
    share.mayDiscard = mayDiscard
    return try await run(crew.open(recipe, document, options), share, observe).summary
  }

  /// Does a share of the work; the recipe's files are open.
  ///
  /// - Returns: What it came to, and whether all of the share was done.
  func run(
    _ files: NamedFiles, _ share: BatchShare, _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> (summary: RunSummary, isComplete: Bool) {
    let end = share.time.map { ContinuousClock.now + $0 }
    if let missing = MissingEncoder.first(among: recipe.outputs) { throw missing }
    try checkLibrary()
    if options.requiresSandbox { try await crew.checkSandbox() }
    let (choice, note) = try await choice(files)
    // Of a part of the photos the index could not tell which are in a folder.
    let session = try await LibrarySession(
      changing: try OutputRoot.create(library: library, output: options.output), options,
      choice.isAll ? view(files) : nil, usesIndex: true, whileWaiting: share.whileWaiting)
    defer { session.close() }
    let pass = BatchPass(of: self, over: session, choice, share.choose, observe)
    if let note { pass.recorder.record(.warning(note)) }
    let isWanted: @Sendable () -> Bool = { [session, options] in
      options.givesWay && session.isWanted
    }
    let registry = FileRegistry(of: session.root, adding: files)
    registry.save(in: session.root)
    let isComplete = await render(
      context(pass, registry, files, mayDiscard: share.mayDiscard), pass.recorder, end, isWanted)
    pass.end()
    if choice.isAll { session.survey?.save(pass.recorder.lasting, session.digests) }
    if crew.isStopped { throw CancellationError() }
    // A watch with more to do makes them of the whole library once, at the end.
    if isComplete { writeWebSets(in: session.root, pass.recorder) }
    return (pass.recorder.summary, isComplete)
  }

  /// Says what a run would do, and writes nothing: `--dry-run` and `--check`.
  ///
  /// - Parameter observe: Hears of each photo, with its plan, on any thread, one call at a time.
  /// - Returns: What it came to; photos that would be rendered count as due.
  /// - Throws: What kept any photo from being looked at, or `CancellationError`.
  public func plan(_ observe: @escaping @Sendable (RunEvent) -> Void) async throws -> RunSummary {
    let files = try await crew.open(recipe, document, options)
    try checkLibrary()
    let (choice, note) = try await choice(files)
    let session = try readingSession(choice.isAll ? view(files) : nil)
    let pass = BatchPass(of: self, over: session, choice, nil, observe)
    if session.root.hasPendingJournal { pass.recorder.noteUnfinishedCommit() }
    if let note { pass.recorder.record(.warning(note)) }
    let registry = FileRegistry(of: session.root, adding: files)
    let context = context(pass, registry, files)
    if !pass.session.contents.assets.isEmpty {
      crew.makeRoom(photos: pass.session.contents.assets.count)
    }
    await crew.run(pass.session.contents.assets) { asset, worker in
      pass.recorder.record(.started(asset.path))
      let planner = PhotoPlanner(context: context, asset: asset, worker: worker)
      do throws(PhotoFailure) {
        pass.recorder.record(.finished(AssetOutcome(try planner.plan().plan)))
      } catch {
        if error.isCancelled { return }
        pass.recorder.record(.finished(AssetOutcome(PhotoPlan(asset.path, error))))
      }
    }
    pass.end()
    if crew.isStopped { throw CancellationError() }
    checkWebSets(in: session.root, pass.recorder)
    return pass.recorder.summary
  }

  /// The files that the recipe names; blocks until one of the crew's workers has looked at them, which
  /// render nothing meanwhile.
  ///
  /// - Throws: `InvalidDocument` with all that is wrong with them, and with the texts that are drawn;
  ///   `UncheckedRecipe`.
  func openFiles() throws -> NamedFiles { try crew.openNow(recipe, document, options) }

  /// Whether the programs that the recipe names may run.
  func checkExternal() throws(ExternalNotAllowed) {
    if !options.allowsExternal, let (id, step) = recipe.externalSteps.first {
      throw ExternalNotAllowed(id, step)
    }
  }

  /// Ends the run as soon as what is being published is whole.
  public func stop() { crew.stop() }

  /// Opens the library to look at it; without a view what earlier runs found is looked at anew.
  func readingSession(_ view: Survey.RecipeView? = nil) throws -> LibrarySession {
    var root = try OutputRoot(library: library, output: options.output)
    root.readPendingChanges()
    return LibrarySession(reading: root, options, view)
  }

  /// How the index is asked about the recipe.
  private func view(_ files: NamedFiles) -> Survey.RecipeView {
    Survey.RecipeView(recipe: recipe, key: decisionKey(files), listsAll: options.listsSettled)
  }

  /// A digest of all that decides about a photo, but for what lies in the library.
  private func decisionKey(_ files: NamedFiles) -> [UInt8] {
    let assignments = options.assignments.map { "\($0.key)=\($0.value.compactText)" }
    let named = files.digests.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let policy =
      "\(options.previous) \(options.onModified) \(options.onForeign) \(options.acceptsChanged) "
      + "\(options.redoes) \(options.refreshes)"
    // The revisions of the filters are in the fingerprint; photos' own settings may bring others in.
    let revisions = Catalog.filters.map { "\($0.name) \($0.revision)" }
    let engine = "\(Engine.version) \(Engine.revision) \(revisions.joined(separator: " "))"
    let fingerprint = recipe.fingerprint(files: files.digests).compactText
    let text =
      [engine, policy, document.tree.compactText, fingerprint]
      + assignments + named
    return Digest(of: text.joined(separator: "\n").utf8).bytes
  }

  /// Returns whether all photos had their turn before the end.
  private func render(
    _ context: BatchContext, _ recorder: Recorder, _ end: ContinuousClock.Instant?,
    _ isWanted: @escaping @Sendable () -> Bool
  ) async -> Bool {
    let committer = Committer(context.edit.publisher, isAtomic: options.isAtomic) {
      recorder.record(.finished($0))
    }
    if !context.contents.assets.isEmpty { crew.makeRoom(photos: context.contents.assets.count) }
    let isComplete = await crew.run(
      context.contents.assets, until: end, givingWay: isWanted
    ) { asset, worker in
      recorder.record(.started(asset.path))
      let runner = AssetRunner(context: context, asset: asset, worker: worker)
      switch runner.run() {
      case .done(let outcome): recorder.record(.finished(outcome))
      case .prepared(let edit): committer.submit(edit)
      case .cancelled: break
      }
    }
    // What was rendered before a stop is worth keeping, unless all of it was asked for.
    let isWhole = !crew.isStopped && recorder.summary.isFlawless
    if options.isAtomic && !isWhole { committer.withdraw() } else { committer.flush() }
    return isComplete
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

  /// What photos of a pass need.
  private func context(
    _ pass: BatchPass, _ registry: FileRegistry, _ files: NamedFiles, mayDiscard: Bool? = nil
  ) -> BatchContext {
    var options = options
    options.mayDiscard = mayDiscard ?? options.mayDiscard
    let edit = pass.session.context(
      options, originals: pass.originals, registry: registry, planned: pass.planned)
    return BatchContext(edit: edit, document: document, recipe: recipe, files: files)
  }
}
