import Notation
import PhotoLibrary
import PhotoRecipes
import PhotoRender
import Synchronization
public import SystemPackage

extension Batch {
  /// Opens the recipe and the library of a plan.
  ///
  /// The plan's options replace the options that affect the results.
  ///
  /// - Throws: `InvalidDocument` with all errors of the recipe.
  public convenience init(_ plan: ShardPlan, options: BatchOptions = BatchOptions()) throws {
    try self.init(recipe: plan.recipe, library: plan.library, options: options.of(plan))
  }

  /// Opens a plan for its merge: takes the recipe from the plan, because its file may have changed,
  /// or be gone, since the plan was made.
  public convenience init(merging plan: ShardPlan, options: BatchOptions = BatchOptions()) throws {
    try self.init(plan.document(), library: plan.library, options: options.of(plan))
  }

  /// Processes one shard of a plan.
  ///
  /// A shard can be processed again, for example after its process was killed; photos that are up
  /// to date are then only counted. Only one process at a time can process a shard.
  ///
  /// - Returns: The summary of the run over the shard's photos.
  /// - Throws: As `run`; `StalePlan` if the recipe or phbatch changed since the plan; `UnsafeLocks`
  ///   if locks do not exclude other machines.
  public func runShard(
    _ index: Int, of plan: ShardPlan, _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    let photos = try plan.photos(of: index)
    let files = try await openForShard()
    guard decision(files) == plan.header.decision else { throw StalePlan(plan: plan.path) }
    let root = try OutputRoot.create(library: library, output: options.output)
    try LockProbe.check(root)
    if try root.files.status(at: MergedPlan.path(plan)) != nil {
      throw MergedShard(plan: plan.path)
    }
    let place = plan.place(of: index)
    let registry = FileRegistry(of: root, adding: files)
    registry.save(in: root)
    savePlaces(everywhere: root)
    let places = plan.header.isByFolder ? localPlaces(in: root, hasSidecars: false) : nil
    let session = try await LibrarySession(
      shard: place, of: root, options, recipe,
      around: Set(photos.map { $0.removingLastComponent() }), places: places)
    defer { session.close() }
    // A merge may have ended while the shard waited for its locks.
    if try root.files.status(at: MergedPlan.path(plan)) != nil {
      throw MergedShard(plan: plan.path)
    }
    try plan.keep(in: root)
    let status = ShardStatus.path(place.state)
    if try root.files.status(at: status) != nil { try root.files.remove(status) }
    let rendered = RenderedPhotos(place.state, in: root.files, options.durability)
    let outcomes = ShardOutcomes(session.contents, recipe, rendered)
    let summary = try await work(
      on: session, .planned(Set(photos)), places: places, registry, files,
      willPublish: rendered.add
    ) { event in
      if case .finished(let outcome) = event { outcomes.add(outcome) }
      observe(event)
    }
    try write(outcomes, of: photos, summary, plan, session)
    return summary
  }

  /// Processes the shard with this index of `count` shards without a plan: the digest of a folder's
  /// path determines the shard of the folder's photos.
  ///
  /// Does not write the index and the manifests of web sets; the next run without shards writes
  /// them.
  ///
  /// - Throws: As `run`; `UnsafeLocks` if locks do not exclude other machines.
  public func runShard(
    _ index: Int, of count: Int, _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    if options.isAtomic { throw AtomicShards() }
    let files = try await openForShard()
    let root = try OutputRoot.create(library: library, output: options.output)
    try LockProbe.check(root)
    let registry = FileRegistry(of: root, adding: files)
    registry.save(in: root)
    let places = localPlaces(in: root, hasSidecars: true)
    savePlaces(everywhere: root)
    let folders = Set(
      Scan(root.library).walk { $0.path }.folders.filter {
        PlanPartition.shard(ofFolder: $0, count: count) == index
      })
    let session = try await LibrarySession(
      shard: ShardPlace(index, of: count), of: root, options, recipe, around: folders,
      places: places)
    defer { session.close() }
    try checkCount(session)
    return try await work(
      on: session, .folders(folders), places: places, registry, files, observe)
  }

  /// Throws if the library has too few photos; the whole library is read only if the folders that
  /// the shard has read do not have enough.
  private func checkCount(_ session: LibrarySession) throws {
    if session.contents.assets.count >= max(options.leastPhotos ?? 1, 1) { return }
    let whole = LibraryContents(scanning: session.root)
    try LibrarySession(reading: session.root, options, whole, session.digests)
      .checkCount(options.leastPhotos)
  }

  private func openForShard() async throws -> NamedFiles {
    try checkExternal()
    let files = try await pool.open(recipe, document, options)
    if let missing = MissingEncoder.first(among: recipe.outputs) { throw missing }
    try checkLibrary()
    if options.requiresSandbox { try await pool.checkSandbox() }
    return files
  }

  /// The maximum number of times that a shard reads and renders a photo.
  private static let mostAttempts = 8

  /// Plans and renders the photos of a shard.
  ///
  /// A shard of another plan may change a photo's files after this shard read them. Such photos are
  /// read and rendered again.
  private func work(
    on session: LibrarySession, _ choice: Choice, places: [RenditionPlace]?,
    _ registry: FileRegistry, _ files: NamedFiles,
    willPublish: @escaping @Sendable ([AssetOutcome]) -> Void = { _ in },
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    var session = session
    var pass = try BatchPass(of: self, over: session, choice, nil, observe)
    for attempt in 1...Self.mostAttempts {
      let overtaken = OvertakenPhotos()
      pass.reportKnown()
      _ = await render(
        context(pass, registry, files), pass.recorder, nil, { false },
        putsOff: { attempt < Self.mostAttempts && overtaken.add($0) }, willPublish: willPublish)
      pass.end()
      if pool.isStopped { throw CancellationError() }
      let photos = overtaken.photos
      if photos.isEmpty { break }
      session.reread(recipe, around: Set(photos.map { $0.removingLastComponent() }), places)
      pass = try BatchPass(
        of: self, over: session, .planned(photos), nil, continuing: pass.recorder, observe)
    }
    return pass.summary(choice, isPart: true)
  }

  /// Writes the digests, then the results, and the status last.
  private func write(
    _ outcomes: ShardOutcomes, of photos: [FilePath], _ summary: RunSummary, _ plan: ShardPlan,
    _ session: LibrarySession
  ) throws {
    let (root, state) = (session.root, session.publisher.place)
    var clocks: [LibraryTree: FileClock] = [:]
    for tree in root.isMirror ? [LibraryTree.library, .mirror] : [.library] {
      clocks[tree] = FileClock(of: tree, in: root, state)
    }
    let records = session.digests.records(clocks)
    // Errors are ignored, because the digests only save time.
    _ = try? LibraryIndex.write(in: root, state, old: nil, keeping: [], records)
    var digest = ChunkedDigest()
    var text: [UInt8] = []
    for photo in photos {
      guard let outcome = outcomes.outcome(of: photo) else { continue }
      text += ShardResult.json(outcome).compactBytes + [UInt8(ascii: "\n")]
    }
    digest.add(text)
    try root.files.replace(ShardStatus.results(state), with: text)
    let status = ShardStatus(
      plan: plan.identifier, exit: summary.exitCode(reportsDue: false), results: digest.text,
      photos: outcomes.count, problems: summary.problems, systemCode: summary.systemCode)
    try status.write(state, in: root.files)
  }
}

extension BatchOptions {
  /// The options with those of a plan.
  fileprivate func of(_ plan: ShardPlan) -> BatchOptions {
    var options = self
    options.take(plan.header.options)
    options.output = plan.output
    options.date = plan.header.date
    options.jobs = jobs ?? plan.jobs
    return options
  }
}

/// The photos whose files another command changed after the shard had read them.
private final class OvertakenPhotos: Sendable {
  private let paths = Mutex<Set<FilePath>>([])

  var photos: Set<FilePath> { paths.withLock { $0 } }

  /// Adds the photo of an outcome, and returns true, if another command changed its files.
  func add(_ outcome: AssetOutcome) -> Bool {
    if outcome.isOvertaken { paths.withLock { _ = $0.insert(outcome.path) } }
    return outcome.isOvertaken
  }
}

/// The outcomes of a shard's photos.
private final class ShardOutcomes: Sendable {
  private let outcomes = Mutex<[FilePath: AssetOutcome]>([:])
  private let contents: LibraryContents
  private let recipe: Recipe
  private let rendered: RenderedPhotos

  init(_ contents: LibraryContents, _ recipe: Recipe, _ rendered: RenderedPhotos) {
    (self.contents, self.recipe, self.rendered) = (contents, recipe, rendered)
  }

  var count: Int { outcomes.withLock { $0.count } }

  /// Adds an outcome; only the parts that `ShardResult` writes are kept.
  func add(_ outcome: AssetOutcome) {
    var kept = outcome
    kept.plan = nil
    kept.published = []
    outcomes.withLock { $0[outcome.path] = kept }
  }

  /// The outcome of a photo of the shard; nil if it was not processed.
  ///
  /// A photo that was due in the plan and is up to date counts as rendered if an earlier execution
  /// of the shard recorded these renditions, with the outcome of that execution. Otherwise another
  /// run has rendered it.
  func outcome(of photo: FilePath) -> AssetOutcome? {
    guard let outcome = outcomes.withLock({ $0[photo] }) else { return nil }
    guard outcome.reason == .upToDate, let sidecar = contents.sidecars[photo]?.sidecar,
      let own = sidecar.stack(recipe.variant).map(\.adjustment).last(where: recipe.handles)
    else { return outcome }
    let renditions = own.renditions.compactMap { record in
      own.path(of: record, original: photo, sidecar.original).map { path in
        AssetOutcome.Rendition(
          output: record.output, path: path, size: Size(record.width, record.height),
          bytes: record.bytes)
      }
    }
    return rendered.outcome(of: photo, with: renditions) ?? outcome
  }
}

/// The error of a shard whose recipe, options or version of phbatch differ from the plan.
public struct StalePlan: CommandError, Hashable {
  public let plan: FilePath
  public var code: ExitCode { .invalidRecipe }
  public var message: String {
    "the recipe, a file that it names, or phbatch changed since '\(plan.displayed)' was made"
  }
  public var hint: String { "make a new plan; all machines need the same version of phbatch" }
}

/// The error of a shard whose plan was already merged.
public struct MergedShard: CommandError, Hashable {
  public let plan: FilePath
  public var code: ExitCode { .noInput }
  public var message: String { "'\(plan.displayed)' is already merged" }
  public var hint: String { "make a new plan for photos that are due now" }
}
