import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The result of a merge.
public enum MergeResult: Sendable {
  /// The shards were joined; the summary equals the summary of one run, without the photos of
  /// shards that were given up.
  case merged(RunSummary)
  /// An earlier merge of the plan is complete; contains its exit code.
  case mergedBefore(ExitCode)
  /// The shards were joined, but a report could not be written, so the plan is not merged yet;
  /// contains the exit code of the report's error.
  case unreported(RunSummary, ExitCode)
  /// These shards are not done, or could not read or write files; nothing was changed.
  case incomplete([Int])
}

extension Batch {
  /// Joins the files of a plan's shards: ledger, undo data, index, failures, reports and the
  /// manifests of web sets.
  ///
  /// Checks that the results of each finished shard contain each of its photos once. A merge that
  /// was interrupted can be repeated.
  ///
  /// - Parameters:
  ///   - plan: The plan of the shards.
  ///   - acceptsErrors: True to merge also shards that could not read or write files; the
  ///     photos that failed are due in the next plan.
  ///   - acceptsMissing: True to give up shards that are not done; only the files that they have
  ///     published are joined, and the photos that they did not render are due in the next plan.
  ///   - report: Writes the reports of the merge, and returns the exit code of one that could not be
  ///     written, or nil. With a code, the merge is not recorded as complete, and keeps the results
  ///     of the shards, so that it can be repeated.
  ///   - observe: Receives the outcome of each photo, on any thread, one call at a time.
  /// - Returns: The summary, or the reason why nothing was merged.
  /// - Throws: `LibraryLockError` while a shard or another command is using the library;
  ///   `StrangeResults` if a shard's results do not match the plan.
  public func merge(
    _ plan: ShardPlan, acceptsErrors: Bool = false, acceptsMissing: Bool = false,
    report: (RunSummary) -> ExitCode?, _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> MergeResult {
    let root = try OutputRoot.create(library: library, output: options.output)
    let merge = PlanMerge(plan: plan, root: root, durability: options.durability)
    if let exit = MergedPlan(plan, in: root.files)?.exit, !merge.hasFolders {
      return .mergedBefore(exit)
    }
    let lock = try await LibraryLock.acquire(root, command: options.command, wait: options.wait)
    defer { lock.release() }
    // Another merge may have ended while this one waited for the lock, or was killed before it had
    // removed all folders.
    let begun = MergedPlan(plan, in: root.files)
    if let exit = begun?.exit {
      merge.removeFolders()
      return .mergedBefore(exit)
    }
    for index in plan.shards.indices {
      try Publisher(root.files, durability: options.durability, state: plan.place(of: index).state)
        .recover()
    }
    try Publisher(root.files, durability: options.durability).recover()
    let progress = PlanProgress(plan, root)
    let undone = progress.unmerged(acceptsErrors: acceptsErrors, acceptsMissing: acceptsMissing)
    if !undone.isEmpty { return .incomplete(undone) }
    let shards = progress.finished.sorted()
    for index in shards { try check(index, of: plan, root) }
    let recorder = Recorder(
      LibraryContents(root), photos: shards.reduce(0) { $0 + plan.shards[$1].photos }, observe)
    for warning in plan.warnings { recorder.record(.warning(warning)) }
    if !progress.missing.isEmpty {
      let text = "shards that are not done: \(progress.missing.ranges)"
      recorder.record(.warning("\(text); the photos that they did not render stay due"))
    }
    let problems = try record(plan, shards, root, recorder)
    let trash = try merge.joinTrash(begun, command: "run \(plan.recipe)")
    try merge.joinLedgers()
    merge.joinFailures(forgets: options.refreshes)
    merge.joinIndexes()
    writeWebSets(in: root, recorder)
    var summary = recorder.summary
    summary.add(problems)
    let exit = summary.exitCode(reportsDue: false)
    // The end of the merge removes the results, from which a report is made.
    if let failure = report(summary) { return .unreported(summary, failure) }
    try merge.end(MergedPlan(trash: trash, exit: exit))
    return .merged(summary)
  }

  /// Throws if a shard's results are not about the shard's photos in the plan, in the same order.
  private func check(_ index: Int, of plan: ShardPlan, _ root: OutputRoot) throws {
    var planned = plan.reader(of: index)
    var results = try ShardResults(plan, index, root)
    while let line = try planned.nextJSON() {
      guard let result = try results.reader.nextJSON(), result.path("file") == line.path("file")
      else { throw StrangeResults(shard: index) }
    }
    guard try results.reader.next() == nil,
      planned.digest.text == plan.shards[index].part.digest,
      results.reader.digest.text == results.status.results
    else { throw StrangeResults(shard: index) }
  }

  /// Records the photos that are not due, and the photos of `shards`, which have results.
  ///
  /// Returns a summary with the problems of the plan and these shards, and the highest exit code of
  /// their system errors.
  private func record(
    _ plan: ShardPlan, _ shards: [Int], _ root: OutputRoot, _ recorder: Recorder
  ) throws -> RunSummary {
    func tell(_ outcome: AssetOutcome?) {
      guard let outcome else { return }
      recorder.record(.started(outcome.path))
      recorder.record(.finished(outcome))
    }
    try plan.read(plan.left) { tell(ShardResult.outcome($0)) }
    var problems = RunSummary()
    problems.problems = plan.problems
    if !plan.problems.isEmpty { problems.systemCode = .noPermission }
    for index in shards {
      var planned = plan.reader(of: index)
      var results = try ShardResults(plan, index, root)
      while let line = try planned.nextJSON(), let result = try results.reader.nextJSON() {
        tell(ShardResult.outcome(result, plan: line))
      }
      problems.problems += results.status.problems
      if let code = results.status.systemCode, code.rawValue > problems.systemCode?.rawValue ?? 0 {
        problems.systemCode = code
      }
    }
    return problems
  }
}

/// The results of a finished shard.
private struct ShardResults {
  let status: ShardStatus
  var reader: LineReader

  init(_ plan: ShardPlan, _ index: Int, _ root: OutputRoot) throws {
    let state = plan.place(of: index).state
    guard let status = ShardStatus(plan, state, in: root.files) else {
      throw StrangeResults(shard: index)
    }
    self.status = status
    let file = try root.files.open(ShardStatus.results(state))
    let size = try root.files.status(of: file).identity.size
    reader = LineReader(file, in: root.files, 0..<size)
  }
}

/// The error of a merge if the results of a shard do not match its photos.
public struct StrangeResults: CommandError, Hashable {
  public let shard: Int
  public var code: ExitCode { .internalError }
  public var message: String { "the results of shard \(shard) do not match its photos" }
  public var hint: String { "do the shard again with 'phbatch run --plan P --shard \(shard)'" }
}
