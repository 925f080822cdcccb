import Foundation
import PhotoLibrary
public import PhotoRecipes
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

  public init(
    _ document: RecipeDocument, library: FilePath, options: BatchOptions = BatchOptions()
  ) throws(InvalidDocument) {
    self.document = document
    self.library = library
    self.options = options
    recipe = try document.recipe(assignments: options.assignments).recipe
    crew = Crew(options, drawsText: recipe.graph.drawsText)
  }

  /// Renders what is not up to date.
  ///
  /// - Parameter observe: Hears what happens, on any thread, one call at a time.
  /// - Returns: What it came to.
  /// - Throws: What ended the run before any photo was looked at, or `CancellationError`; what was
  ///   committed until then is whole.
  public func run(_ observe: @escaping @Sendable (RunEvent) -> Void) async throws -> RunSummary {
    if !options.allowsExternal && !options.isDryRun, let (id, step) = recipe.externalSteps.first {
      throw ExternalNotAllowed(id, step)
    }
    let files = try NamedFiles(recipe, document)
    try checkLibrary()
    if options.requiresSandbox && !options.isDryRun { try await crew.checkSandbox() }
    var session = try await session()
    let originals = session.contents.assets.map(\.path)
    let missing = choosePhotos(of: &session.contents, session.root)
    let recorder = Recorder(session.contents, observe)
    if options.isDryRun && session.root.hasPendingJournal { recorder.noteUnfinishedCommit() }
    for path in missing {
      recorder.record(
        .finished(AssetOutcome(path, .fileMissing, "there is no such file in the library")))
    }
    await render(context(session, originals, files), recorder)
    if crew.isStopped { throw CancellationError() }
    return recorder.summary
  }

  /// Ends the run as soon as what is being published is whole.
  public func stop() { crew.stop() }

  func session() async throws -> LibrarySession {
    if options.isDryRun {
      return LibrarySession(
        reading: try OutputRoot(library: library, output: options.output), options)
    }
    return try await LibrarySession(
      changing: try OutputRoot.create(library: library, output: options.output), options)
  }

  private func render(_ context: BatchContext, _ recorder: Recorder) async {
    let committer = Committer(context.edit.publisher, isAtomic: options.isAtomic) {
      recorder.record(.finished($0))
    }
    await crew.run(context.contents.assets) { asset, worker in
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
    if options.isAtomic && !isWhole { return committer.withdraw() }
    committer.flush()
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

  /// Leaves only the photos that the options name, and returns those of them that are not there.
  private func choosePhotos(of contents: inout LibraryContents, _ root: OutputRoot) -> [FilePath] {
    guard let named = options.photos else { return [] }
    let paths = named.map { path in
      var path = path.lexicallyNormalized()
      _ = path.removePrefix(library.lexicallyNormalized())
      return path
    }
    let chosen = Set(paths)
    contents.assets.removeAll { !chosen.contains($0.path) }
    // What is there and no photo is no mistake: lists come from find and git.
    return chosen.filter { (try? root.library.status(at: $0)) == nil }
      .sorted { $0.string < $1.string }
  }

  func context(
    _ session: LibrarySession, _ originals: [FilePath], _ files: NamedFiles
  ) -> BatchContext {
    var registry = FileRegistry(of: session.root)
    registry.add(files)
    if !options.isDryRun { registry.save(in: session.root) }
    let edit = session.context(
      options, originals: originals, registry: registry, wishes: wishes(session.contents))
    return BatchContext(edit: edit, document: document, recipe: recipe, files: files)
  }

  /// The paths that photos are going to want, as far as they are known without rendering.
  private func wishes(_ contents: LibraryContents) -> [(path: FilePath, original: FilePath)] {
    var wishes: [(path: FilePath, original: FilePath)] = []
    for output in recipe.outputs {
      guard let template = try? PathTemplate(output.path), template.isStatic, !template.usesDate
      else { continue }
      for asset in contents.assets where recipe.selection.matches(path: asset.path.bytes) {
        guard case .photo = asset.file.claim else { continue }
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
