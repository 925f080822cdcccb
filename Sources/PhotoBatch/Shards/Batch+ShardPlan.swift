import Notation
import PhotoLibrary
import PhotoRecipes
import PhotoRender
import Synchronization
public import SystemPackage

/// The number of shards of a plan.
public enum ShardCount: Sendable, Hashable {
  /// Shards of about ten minutes, at most 1000.
  case usual
  case shards(Int)
  /// As many shards as are needed for each to take this many hours.
  case hours(Double)
}

extension Batch {
  /// The minimum number of files in a group of folders that are planned together.
  private static let filesAtATime = 4096

  /// Writes a plan: the photos that are due, with predicted time and memory, divided among shards.
  ///
  /// The library is only read, folder by folder if the recipe's renditions stay near their photos,
  /// so that the memory does not grow with the library. Folders for which the index has valid results
  /// are not read.
  ///
  /// - Parameters:
  ///   - path: The plan's file.
  ///   - source: The file of the recipe.
  ///   - replaces: True if an existing file may be replaced.
  ///   - count: The number of shards, or the time that each shard should take.
  ///   - observe: Receives each photo with its plan, on any thread, one call at a time.
  /// - Returns: The plan, and the summary of a dry run.
  /// - Throws: As `plan`; `ExistingPlan` if the file exists and must not be replaced; `UnmergedPlan`
  ///   if it is a plan that is not merged; `UnwritableTarget` if it cannot be written.
  public func makePlan(
    _ path: FilePath, of source: FilePath, replaces: Bool = false, count: ShardCount = .usual,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> (plan: ShardPlan, summary: RunSummary) {
    if options.isAtomic { throw AtomicShards() }
    try checkExternal()
    if let missing = MissingEncoder.first(among: recipe.outputs) { throw missing }
    let files = try await pool.open(recipe, document, options)
    try checkLibrary()
    if let output = options.output, (try? output.canonical()) == nil {
      _ = try OutputRoot.create(library: library, output: output)
    }
    var root = try OutputRoot(library: library, output: options.output)
    try root.checkJournals()
    root.readPendingChanges()
    let tally = try PlanTally(path, replaces: replaces, observe)
    // These warnings are not written to the plan, because its shards or the next run complete the
    // commits.
    for commit in root.unfinishedCommits { observe(.warning(commit.text)) }
    let places = localPlaces(in: root, hasSidecars: Self.hasSidecars(root))
    let index = options.verifies ? nil : LibraryIndex(of: root)
    let digests = KnownDigests(index, in: root)
    let registry = FileRegistry(of: root, adding: files)
    var photos = 0
    let problems: [any UserError]
    if let places {
      let view = Survey.RecipeView(recipe: recipe, key: view(files).key, listsAll: true)
      let survey = Survey(of: root, index, view, digests, .none)
      problems = survey.contents.problems
      survey.eachReported { tally.add(AssetOutcome($0)) }
      photos = survey.reportedPhotos
      for group in survey.groups(of: Self.filesAtATime) {
        photos += try await plan(group, places, root, index, registry, files, tally)
        if pool.isStopped { throw CancellationError() }
      }
    } else {
      let contents = LibraryContents(scanning: root)
      (photos, problems) = (contents.assets.count, contents.problems)
      let session = LibrarySession(reading: root, options, contents, digests)
      let pass = try BatchPass(of: self, over: session, .all, nil) { tally.note($0) }
      pool.makeRoom(photos: pass.session.contents.assets.count)
      try await plan(pass, registry, files, tally)
      if pool.isStopped { throw CancellationError() }
    }
    try checkCount(photos, in: root)
    for failure in problems { tally.note(failure) }
    let header = PlanHeader(
      recipe: try source.canonical(), library: try library.canonical(),
      output: try options.output?.canonical(), document: document.tree,
      options: options.planned, decision: decision(files), date: SourceDate.text,
      key: (0..<32).map { _ in UInt8.random(in: 0...255) }, jobs: options.jobs ?? 1,
      isByFolder: places != nil)
    try tally.finish(header, shards: shards(count, tally.seconds, jobs: header.jobs))
    return (try ShardPlan(contentsOf: path), tally.summary)
  }

  private func shards(_ count: ShardCount, _ seconds: Double, jobs: Int) -> Int {
    switch count {
    case .shards(let number): number
    case .usual: PlanPartition.usualCount(seconds: seconds / Double(jobs))
    case .hours(let hours):
      PlanPartition.count(
        seconds: seconds / Double(jobs), each: hours * 3600, most: ShardPlan.mostShards)
    }
  }

  /// The digest of everything outside the library that affects the plan, as hexadecimal digits.
  func decision(_ files: NamedFiles) -> String { "\(Digest(of: view(files).key))" }

  /// The path templates of all recipes of the output root; nil if photos of any folder may own the
  /// path of a rendition.
  func localPlaces(in root: OutputRoot, hasSidecars: Bool) -> [RenditionPlace]? {
    let known = PlaceRegistry(of: root.files).places
    if known.isEmpty && hasSidecars { return nil }
    let places = known + RenditionPlace.places(of: recipe).filter { !known.contains($0) }
    return places.isEmpty || places.contains(where: \.startsAtRoot) ? nil : places
  }

  private func checkCount(_ found: Int, in root: OutputRoot) throws {
    guard let least = options.leastPhotos, found < least else { return }
    throw TooFewPhotos(library: root.library.path, found: found, expected: .least(least))
  }

  /// True if a library whose path templates are not known has sidecars.
  private static func hasSidecars(_ root: OutputRoot) -> Bool {
    guard PlaceRegistry(of: root.files).places.isEmpty else { return false }
    return (root.isMirror ? [root.library, root.files] : [root.library]).contains { files in
      Scan(files).walk { !$0.scanned().sidecars.isEmpty }.folders.contains(true)
    }
  }

  /// Plans the photos of some folders.
  ///
  /// - Returns: The number of photos.
  private func plan(
    _ folders: Set<FilePath>, _ places: [RenditionPlace], _ root: OutputRoot,
    _ index: LibraryIndex?, _ registry: FileRegistry, _ files: NamedFiles, _ tally: PlanTally
  ) async throws -> Int {
    let digests = KnownDigests(index, in: root)
    let part = LibraryContents(
      around: folders, of: root, digests, recipe: recipe, places: places)
    let session = LibrarySession(
      reading: root, options, part ?? LibraryContents(scanning: root), digests)
    let pass = try BatchPass(of: self, over: session, .folders(folders), nil) { tally.note($0) }
    try await plan(pass, registry, files, tally)
    return pass.session.contents.assets.count
  }

  /// Plans the photos of a pass.
  private func plan(
    _ pass: BatchPass, _ registry: FileRegistry, _ files: NamedFiles, _ tally: PlanTally
  ) async throws {
    let context = context(pass, registry, files)
    let photos = pass.session.contents.assets.sorted { Self.isInEarlierFolder($0.path, $1.path) }
    let release = OrderedRelease(known: pass.decided + pass.leftPlans) { event in
      if case .finished(let outcome) = event { tally.add(outcome) }
    }
    let named = files.entries.mapValues(\.file)
    await pool.run(Array(photos.indices)) { index, worker in
      let asset = photos[index]
      let planner = PhotoPlanner(context: context, asset: asset, worker: worker)
      do throws(PhotoFailure) {
        let plan = try planner.plan().plan
        if plan.isDue {
          let renderer = JobRenderer(context: context.edit, asset: asset, worker: worker)
          let photo = try PhotoFailure.attempt { try context.root.library.open(asset.path) }
          let weight = try renderer.weigh(photo, context.forms.order, files: named)
          tally.note(
            weight.map { PhotoCost(seconds: $0.seconds, memory: $0.needs.usual) } ?? .unknown,
            bytes: Int(asset.file.status.identity.size), of: asset.path)
        }
        release.add(AssetOutcome(plan), at: index)
      } catch {
        if error.isCancelled { return }
        release.add(AssetOutcome(PhotoPlan(asset.path, error)), at: index)
      }
    }
    release.end()
    try tally.check()
  }

  /// Orders photos by their folders, then by their names.
  private static func isInEarlierFolder(_ left: FilePath, _ right: FilePath) -> Bool {
    let (first, second) = (left.removingLastComponent(), right.removingLastComponent())
    if first == second { return left.bytes.lexicographicallyPrecedes(right.bytes) }
    return first.bytes.lexicographicallyPrecedes(second.bytes)
  }
}

extension ShardPlan {
  /// The maximum number of shards; AWS Batch allows no larger arrays.
  public static let mostShards = 10_000
}

extension Survey {
  /// The folders to read, in groups of at least `least` files and folders, except the last group; each
  /// path also stands for the folder with this path in a separate output root.
  fileprivate func groups(of least: Int) -> [Set<FilePath>] {
    var sizes: [FilePath: Int] = [:]
    for key in wanted {
      let count = seen[key]?.count ?? 0
      if count > 0 { sizes[key.path, default: 0] += count }
    }
    var groups: [Set<FilePath>] = []
    var (group, count) = (Set<FilePath>(), 0)
    for (path, files) in sizes.sorted(by: {
      $0.key.bytes.lexicographicallyPrecedes($1.key.bytes)
    }) {
      group.insert(path)
      count += files
      if count < least { continue }
      groups.append(group)
      (group, count) = ([], 0)
    }
    return group.isEmpty ? groups : groups + [group]
  }
}

/// Writes planned photos to a plan, and counts them.
private final class PlanTally: Sendable {
  private struct State {
    let writer: PlanWriter
    var summary = RunSummary()
    var warnings: [String] = []
    var costs: [FilePath: (cost: PhotoCost, bytes: Int)] = [:]
    var failure: FileSystemError?
  }

  private let path: FilePath
  private let state: Mutex<State>
  private let observe: @Sendable (RunEvent) -> Void

  init(
    _ path: FilePath, replaces: Bool, _ observe: @escaping @Sendable (RunEvent) -> Void
  ) throws {
    self.path = path
    let writer = try UnwritableTarget.attempt(path) { try PlanWriter(path, replaces: replaces) }
    state = Mutex(State(writer: writer))
    self.observe = observe
  }

  var summary: RunSummary { state.withLock { $0.summary } }
  /// The predicted seconds of all photos that are due.
  var seconds: Double { state.withLock { $0.writer.seconds } }

  func finish(_ header: PlanHeader, shards: Int) throws {
    try state.withLock { state in
      try UnwritableTarget.attempt(path) {
        try state.writer.finish(
          header, shards: shards, warnings: state.warnings, problems: state.summary.problems)
      }
    }
  }

  /// Throws the first error of writing the plan.
  func check() throws {
    try UnwritableTarget.attempt(path) {
      if let failure = state.withLock({ $0.failure }) { throw failure }
    }
  }

  func note(_ cost: PhotoCost, bytes: Int, of photo: FilePath) {
    state.withLock { $0.costs[photo] = (cost, bytes) }
  }

  /// Reports each warning once, although every group of folders may cause it.
  func note(_ event: RunEvent) {
    guard case .warning(let text) = event else { return }
    let isNew = state.withLock { state in
      if state.warnings.contains(text) { return false }
      state.warnings.append(text)
      return true
    }
    if isNew { observe(event) }
  }

  func note(_ failure: any UserError) {
    note(.warning("\(failure)"))
    state.withLock { state in
      state.summary.problems.append(failure.message)
      state.summary.systemCode = .noPermission
    }
  }

  func add(_ outcome: AssetOutcome) {
    state.withLock { state in
      let known = state.costs.removeValue(forKey: outcome.path)
      state.summary.add(outcome)
      do throws(FileSystemError) {
        if outcome.isDue {
          try state.writer.add(outcome, bytes: known?.bytes ?? 0, known?.cost ?? .unknown)
        } else {
          try state.writer.addLeft(outcome)
        }
      } catch { state.failure = state.failure ?? error }
    }
    observe(.finished(outcome))
  }
}

/// The error of a plan with `--atomic`: shards cannot publish all photos together.
public struct AtomicShards: CommandError, Hashable {
  public var code: ExitCode { .usage }
  public var message: String { "shards publish their photos independently of each other" }
  public var hint: String { "run without --atomic, or without shards" }
}
