import Foundation
import PhotoLibrary
public import PhotoRecipes
import Synchronization
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
  private let lanes: [Lane]
  private let admission: Admission
  private let isStopped = Mutex(false)

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
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let budget = options.memory ?? MemoryBudget.standard
    let count = Admission.workers(options.jobs ?? cores, budget: budget)
    let admission = Admission(budget: budget, workers: count, threads: cores)
    self.admission = admission
    let drawsText = recipe.graph.drawsText
    lanes = (0..<count).map { _ in
      Lane(
        executable: options.workerExecutable, drawsText: drawsText, admission: admission)
    }
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
    if options.requiresSandbox && !options.isDryRun { try await checkSandbox() }
    let root: OutputRoot
    var lock: LibraryLock?
    if options.isDryRun {
      root = try OutputRoot(library: library, output: options.output)
    } else {
      root = try OutputRoot.create(library: library, output: options.output)
      lock = try await LibraryLock.acquire(root, command: options.command, wait: options.wait)
    }
    defer { withExtendedLifetime(lock) {} }
    var contents = LibraryContents(scanning: root)
    let originals = contents.assets.map(\.path)
    let missing = choosePhotos(of: &contents, root)
    let context = self.context(root, contents, files, originals)
    if !options.isDryRun { removeLeftovers(contents, context) }
    let recorder = Recorder(contents, observe)
    for path in missing {
      recorder.record(
        .finished(AssetOutcome(path, .fileMissing, "there is no such file in the library")))
    }
    await withTaskCancellationHandler {
      await render(context, recorder)
    } onCancel: {
      stop()
    }
    if isStopped.withLock({ $0 }) { throw CancellationError() }
    return recorder.summary
  }

  /// Ends the run as soon as what is being published is whole.
  public func stop() {
    isStopped.withLock { $0 = true }
    admission.stop()
    for lane in lanes { lane.worker.stop() }
  }

  /// Starts a worker and looks at what shuts it in.
  private func checkSandbox() async throws {
    guard let lane = lanes.first else { return }
    let sandbox = await lane.run {
      Result { () throws(WorkerProcess.Failure) in try lane.worker.sandbox() }
    }
    guard case .success(let sandbox) = sandbox, sandbox.isWhole else {
      throw SandboxMissing((try? sandbox.get()) ?? Sandbox())
    }
  }

  private func checkLibrary() throws {
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

  private func context(
    _ root: OutputRoot, _ contents: LibraryContents, _ files: NamedFiles, _ originals: [FilePath]
  ) -> BatchContext {
    let ledger = PathLedger(
      originals: root.isMirror ? [] : Set(originals), claims: contents.claims,
      wishes: wishes(contents))
    return BatchContext(
      root: root, document: document, recipe: recipe, options: options, contents: contents,
      files: files, publisher: DirectPublisher(root.files), ledger: ledger,
      poison: Poison(in: root.files, forgets: options.refreshes), date: Self.now)
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

  private func removeLeftovers(_ contents: LibraryContents, _ context: BatchContext) {
    for (folder, names) in contents.leftovers {
      // One that cannot be removed is invisible to everybody, and there is another run.
      _ = try? context.publisher.removeLeftovers(names, in: folder)
    }
  }

  private func render(_ context: BatchContext, _ recorder: Recorder) async {
    let agenda = Agenda(context.contents.assets)
    await withTaskGroup { group in
      for lane in lanes.prefix(max(1, context.contents.assets.count)) {
        group.addTask {
          while !self.isStopped.withLock({ $0 }), let asset = await agenda.next() {
            recorder.record(.started(asset.path))
            let outcome = await lane.run {
              AssetRunner(context: context, asset: asset, worker: lane.worker).run()
            }
            if let outcome { recorder.record(.finished(outcome)) }
          }
        }
      }
    }
  }

  /// The time of the run: `SOURCE_DATE_EPOCH`, else now.
  private static var now: String {
    let fixed = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap { Int64($0) }
    let seconds = fixed ?? Int64(Date().timeIntervalSince1970)
    return "\(CivilTime(nanoseconds: seconds * 1_000_000_000))Z"
  }
}

/// What is left to do: the one thing that lanes share.
private actor Agenda {
  private var waiting: ArraySlice<Asset>

  init(_ assets: [Asset]) { waiting = assets[...] }

  func next() -> Asset? { waiting.popFirst() }
}

/// Passes events on, one at a time, and adds them up.
private final class Recorder: Sendable {
  private let state: Mutex<RunSummary>
  private let observe: @Sendable (RunEvent) -> Void

  init(_ contents: LibraryContents, _ observe: @escaping @Sendable (RunEvent) -> Void) {
    var summary = RunSummary()
    for problem in contents.problems {
      summary.problems.append(problem.message)
      summary.systemCode = .noPermission
    }
    state = Mutex(summary)
    self.observe = observe
    observe(.began(photos: contents.assets.count))
    for problem in contents.problems { observe(.warning("\(problem)")) }
  }

  var summary: RunSummary { state.withLock { $0 } }

  func record(_ event: RunEvent) {
    state.withLock { summary in
      if case .finished(let outcome) = event { summary.add(outcome) }
      observe(event)
    }
  }
}
