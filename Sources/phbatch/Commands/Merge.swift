import ArgumentParser
import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import PhotoReports
import SystemPackage

struct Merge: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract:
      "Join the results of a plan's shards into one run, or list the shards that are missing.",
    discussion: """
      Checks that every photo of the plan was processed once; then joins undo data, ledger and \
      index, writes the manifests of web sets, and reports all photos like one run. Ends with code \
      2, and changes nothing, if shards are missing. With --accept-missing, they are given up, and \
      the changes of the other shards can be undone.

      EXAMPLES
        phbatch merge web.plan --report web.html
        phbatch merge web.plan --retry
        phbatch merge web.plan --accept-missing
      """)

  @Argument(help: "The plan.", completion: .file())
  var plan: String

  @Flag(
    help: "Print only the numbers of shards to do again: those that are missing or had I/O errors.")
  var retry = false

  @Flag(help: "Also join shards that failed to read or write files; these photos stay due.")
  var acceptErrors = false

  @Flag(
    help: "Give up shards that are not done, and join the others; photos they left out stay due.")
  var acceptMissing = false

  @Option(
    defaultAsFlag: 3600,
    help: ArgumentHelp(
      "Wait this long for shards that are not done.", valueName: "seconds"))
  var wait: Int?

  @OptionGroup var reporting: ReportOptions

  func validate() throws { try Usage.check("--wait", wait, isAtLeast: 0) }

  func run() async throws {
    let plan = try ShardPlan(contentsOf: FilePath(plan))
    if retry {
      let shards = try PlanProgress(of: plan).retried
      if shards.isEmpty { return }
      Message.result(shards.ranges)
      throw PhotoBatch.ExitCode.workDue
    }
    let writer = try ReportWriter(
      reporting, recipe: plan.recipe.string, library: plan.library.string, isDryRun: false)
    let reporter = RunReporter(
      format: reporting.format, progress: .none, isQuiet: reporting.quiet, showsEach: false)
    var options = BatchOptions()
    options.command = "merge"
    options.wait = wait.map { .seconds($0) }
    try plan.checkLibrary()
    let batch = try Batch(merging: plan, options: options)
    let recorder = writer.recorder
    let end = ContinuousClock.now + .seconds(wait ?? 0)
    try await waitForShards(of: plan, until: end)
    let (acceptErrors, acceptMissing) = (acceptErrors, acceptMissing)
    let result = try await Interruption.handling {
      try await batch.merge(
        plan, acceptsErrors: acceptErrors, acceptsMissing: acceptMissing,
        report: { writer.failure(of: batch.recipe, $0, $0.exitCode(reportsDue: false)) }
      ) { event in
        recorder.note(event)
        reporter.report(event)
      }
    }
    var code: PhotoBatch.ExitCode
    switch result {
    case .merged(let summary):
      code = summary.exitCode(reportsDue: false)
      reporter.finish(summary, code)
    case .unreported(let summary, let failure):
      let worst = max(summary.exitCode(reportsDue: false).rawValue, failure.rawValue)
      code = PhotoBatch.ExitCode(rawValue: worst) ?? failure
      reporter.finish(summary, code)
      Message.say("  hint: merge again; the results are kept until the reports are written")
    case .mergedBefore where !reporting.reports.isEmpty:
      throw MissingInput(
        "'\(self.plan)' is already merged, and its results are removed, so it cannot be reported",
        hint: "give --report to the first merge; 'phbatch status' shows the photos as they are now")
    case .mergedBefore(let earlier):
      code = earlier
      let text = "'\(self.plan)' is already merged; nothing was left to merge"
      if reporting.format == .json {
        reporter.report(.warning(text))
      } else if !reporting.quiet {
        Message.say(text)
      }
      reporter.finish(RunSummary(), code, isWhole: false)
    case .incomplete(let shards):
      code = .workDue
      reporter.finish(RunSummary(), code, isWhole: false)
      Message.say(
        "Error: \(shards.count) of \(plan.shards.count) shards are not done: \(shards.ranges)")
      Message.say(
        "  hint: do them with 'phbatch submit --retry' or 'phbatch run --plan'; --accept-missing"
          + " and --accept-errors merge without them")
    }
    if code != .success { throw code }
  }

  /// Waits until all shards are done, or until the time `end`.
  private func waitForShards(
    of plan: ShardPlan, until end: ContinuousClock.Instant
  ) async throws {
    try await Interruption.handling {
      while ContinuousClock.now < end, try !PlanProgress(of: plan).missing.isEmpty {
        let rest = ContinuousClock.now.duration(to: end)
        try await Task.sleep(for: min(.seconds(5), max(.zero, rest)))
      }
    }
  }
}
