import Foundation
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
  /// - Parameter observe: Hears what happens, on any thread, one call at a time.
  /// - Returns: What it came to.
  /// - Throws: What ended the run before any photo was looked at, or `CancellationError`; what was
  ///   committed until then is whole.
  public func run(_ observe: @escaping @Sendable (RunEvent) -> Void) async throws -> RunSummary {
    try checkExternal()
    return try await run(crew.open(recipe, document, options), BatchShare(), observe).summary
  }

  /// Does a share of the work; the recipe's files are open.
  ///
  /// - Returns: What it came to, and whether all of the share was done.
  func run(
    _ files: NamedFiles, _ share: BatchShare, _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> (summary: RunSummary, isComplete: Bool) {
    let end = share.time.map { ContinuousClock.now + $0 }
    if !options.isDryRun, let missing = MissingEncoder.first(among: recipe.outputs) {
      throw missing
    }
    try checkLibrary()
    if options.requiresSandbox && !options.isDryRun { try await crew.checkSandbox() }
    let (choice, note) = try await choice(files)
    // Of a part of the photos the index could not tell which are in a folder.
    var session = try await session(
      choice.isAll ? files : nil, whileWaiting: share.whileWaiting)
    defer { session.close() }
    let originals = session.contents.originals
    let (missing, absent) = keep(choice, of: &session.contents, session.root)
    let told = (session.survey?.told ?? [])
    let recorder = Recorder(
      session.contents,
      photos: session.contents.assets.count + told.count + missing.count + absent.count,
      settled: session.survey?.settled ?? [:], observe)
    if options.isDryRun && session.root.hasPendingJournal { recorder.noteUnfinishedCommit() }
    if let note { recorder.record(.warning(note)) }
    if !session.root.isMirror, recipe.outputs.contains(where: \.budget.keepIfSmaller) {
      recorder.record(.warning("'keepIfSmaller' copies originals only to another folder: --output"))
    }
    for path in absent {
      recorder.record(.started(path))
      recorder.record(
        .finished(AssetOutcome(path, .fileMissing, "there is no such file in the library")))
    }
    let decided = session.survey?.decided ?? [:]
    for outcome in told + session.contents.assets.compactMap({ decided[$0.path] }) {
      recorder.record(.started(outcome.path))
      recorder.record(.finished(outcome))
    }
    // Photos that are up to date have what they want.
    let wishing = session.contents.assets.filter { decided[$0.path]?.reason != .upToDate }
    session.contents.assets.removeAll { decided[$0.path] != nil }
    if let choose = share.choose {
      session.contents.assets = choose(session.contents.assets)
    }
    let wishes = session.contents.assets.isEmpty ? [] : wishes(of: wishing)
    let isWanted: @Sendable () -> Bool = { [session, options] in
      options.givesWay && session.isWanted
    }
    let isComplete = await render(
      context(session, originals, wishes, files), recorder, end, isWanted)
    for path in missing {
      recorder.record(.started(path))
      recorder.record(.finished(AssetOutcome(missing: path)))
    }
    if !options.isDryRun && choice.isAll {
      session.survey?.save(recorder.lasting, session.digests)
    }
    if crew.isStopped { throw CancellationError() }
    // A watch with more to do makes them of the whole library once, at the end.
    if isComplete { finishWebSets(in: session.root, recorder) }
    return (recorder.summary, isComplete)
  }

  /// The files that the recipe names; blocks until one of the crew's workers has looked at them, which
  /// render nothing meanwhile.
  ///
  /// - Throws: `InvalidDocument` with all that is wrong with them, and with the texts that are drawn;
  ///   `UncheckedRecipe`.
  func openFiles() throws -> NamedFiles { try crew.openNow(recipe, document, options) }

  /// Whether the programs that the recipe names may run.
  func checkExternal() throws(ExternalNotAllowed) {
    if !options.allowsExternal && !options.isDryRun, let (id, step) = recipe.externalSteps.first {
      throw ExternalNotAllowed(id, step)
    }
  }

  /// Ends the run as soon as what is being published is whole.
  public func stop() { crew.stop() }

  /// Opens the library; without the recipe's files what earlier runs settled is looked at anew.
  func session(
    _ files: NamedFiles? = nil, whileWaiting: () -> Void = {}
  ) async throws -> LibrarySession {
    let view = files.map { files in
      Survey.RecipeView(recipe: recipe, key: decisionKey(files), listsAll: options.listsSettled)
    }
    if options.isDryRun {
      var root = try OutputRoot(library: library, output: options.output)
      root.readPendingChanges()
      return LibrarySession(reading: root, options, view)
    }
    return try await LibrarySession(
      changing: try OutputRoot.create(library: library, output: options.output), options, view,
      usesIndex: true, whileWaiting: whileWaiting)
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

  func context(
    _ session: LibrarySession, _ originals: [FilePath],
    _ wishes: [(path: FilePath, original: FilePath)], _ files: NamedFiles
  ) -> BatchContext {
    var registry = FileRegistry(of: session.root)
    registry.add(files)
    if !options.isDryRun { registry.save(in: session.root) }
    let edit = session.context(
      options, originals: originals, registry: registry, wishes: wishes)
    return BatchContext(edit: edit, document: document, recipe: recipe, files: files)
  }

  /// The paths that photos are going to want, as far as they are known without rendering.
  private func wishes(of assets: [Asset]) -> [(path: FilePath, original: FilePath)] {
    var wishes: [(path: FilePath, original: FilePath)] = []
    for output in recipe.outputs {
      guard let template = try? PathTemplate(output.path), template.isStatic, !template.usesDate
      else { continue }
      for asset in assets where recipe.selection.matches(path: asset.path.bytes) {
        guard asset.file.claim.isRead(with: recipe.inputs) else { continue }
        let values = PathValues(
          original: asset.path, extension: type(of: output.format).fileExtension,
          output: output.name, recipe: recipe.shortName, variant: recipe.variant,
          date: CivilTime(nanoseconds: 0))
        // A path that cannot be is reported when its photo is rendered.
        if let path = try? template.path(values) { wishes.append((path, asset.path)) }
      }
    }
    return wishes
  }
}
