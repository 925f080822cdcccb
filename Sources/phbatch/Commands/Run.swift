import ArgumentParser
import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import PhotoReports
import Synchronization
import SystemPackage

struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Render the photos that are not up to date.",
    discussion: """
      With --plan and --shard, or with --shard alone, the run does a part of the photos, while other \
      machines do others; see 'phbatch plan'.

      Exit codes: 0 done or nothing to do, 2 --check found work, 3 a photo failed, 4 a photo needs \
      your decision, or photos are missing, 64 wrong usage, 65 invalid recipe, 66 no such recipe or \
      library, 70 an error in phbatch or an unreadable journal, 73 cannot create a file, 74 I/O \
      error, 75 another run is using the library, 77 no permission, 129, 130 and 143 stopped by a \
      signal.
      """)

  @Argument(help: "The recipe, a JSON file.", completion: .file(extensions: ["json"]))
  var recipe: String?

  @Argument(
    help: ArgumentHelp(
      "The folder of photos; or photos, folders and patterns such as 'Photos/2024/*.jpg' in one"
        + " library.",
      valueName: "library"),
    completion: .file())
  var photos: [String] = []

  @OptionGroup var sharding: ShardOptions

  @OptionGroup var place: LibraryOption

  @Flag(help: "Write nothing; exit with code 2 if a photo is due.")
  var check = false

  @Flag(name: .customLong("dry-run"), help: "Write nothing; list the photos that are due.")
  var isDryRun = false

  @Option(
    help: ArgumentHelp(
      "With --dry-run: show due photos before and after, as a page (.html) or sheet (.png).",
      valueName: "file"))
  var preview: String?

  @OptionGroup var rendering: RenderingOptions

  @OptionGroup var choice: ChoiceOptions

  @Option(
    help: ArgumentHelp(
      "Change nothing and exit with code 4 if the library has fewer photos, as after a failed"
        + " mount; 1 if an earlier run found photos, else 0.",
      valueName: "count"))
  var minPhotos: Int?

  @Flag(help: "Render reverted edits again.")
  var redo = false

  @Flag(
    help: """
      Render photos again that an older phbatch rendered differently, and photos that an \
      earlier run could not render.
      """)
  var refresh = false

  @Option(
    defaultAsFlag: 3600,
    help: ArgumentHelp(
      "Wait this long for another run to end. Without this option, a run waits only for a watch to"
        + " pause, for up to 30 seconds.",
      valueName: "seconds"))
  var wait: Int?

  @Flag(name: .customLong("atomic"), help: "Publish all photos together at the end, or none.")
  var isAtomic = false

  @OptionGroup var reporting: ReportOptions

  @Flag(help: "Read every file again, even if an earlier run read it.")
  var verify = false

  @Flag(help: "Remove edits without asking if other options require it.")
  var yes = false

  /// Throws if the options select photos in more than one way.
  private func checkSelection(isWhole: Bool) throws {
    let selects = choice.filesFrom != nil || choice.since != nil
    try Usage.check(!selects || isWhole, "--files-from and --since work only with a whole library")
  }

  func validate() throws {
    try Usage.check("--wait", wait, isAtLeast: 0)
    try Usage.check("--min-photos", minPhotos, isAtLeast: 0)
    try Usage.check(preview == nil || isDryRun, "--preview works only with --dry-run")
    let isShard = sharding.shard != nil
    try Usage.check(
      !isShard || !(isDryRun || check), "a shard is not run with --dry-run or --check")
    try Usage.check(
      !isShard || !isAtomic, "shards publish their photos independently of each other")
    try Usage.check(
      !isShard || (choice.filesFrom == nil && choice.since == nil && place.library == nil),
      "a shard selects its photos itself")
    if sharding.plan != nil {
      try Usage.check(recipe == nil, "give either a recipe and a library, or a plan")
      try Usage.check(
        !(try rendering.options()).hasPlannedOptions && !(redo || refresh || yes)
          && minPhotos == nil,
        "options that affect the results belong to 'phbatch plan'")
      return
    }
    try Usage.check(recipe != nil, "give a recipe and a library")
    try Usage.check(!photos.isEmpty, "give a library, or photos of one")
    try Usage.check(!isShard || photos.count == 1, "a shard works only on a whole library")
    try checkSelection(isWhole: photos.count == 1 && place.library == nil)
  }

  func run() async throws {
    let plan = try sharding.plan.map { try ShardPlan(contentsOf: FilePath($0)) }
    let chosen = Result { try PhotoChoice(photos.map { FilePath($0) }, library: place.path) }
    let writer = try ReportWriter(
      reporting, recipe: plan?.recipe.string ?? recipe ?? "",
      library: plan?.library.string ?? (try? chosen.get().library.string) ?? photos.first ?? "",
      isDryRun: isDryRun || check)
    let reporter = RunReporter(
      format: reporting.format, progress: reporting.progress, isQuiet: reporting.quiet,
      showsEach: isDryRun)
    let recorder = writer.recorder
    let code: PhotoBatch.ExitCode
    var read: Recipe?
    do {
      let observe: @Sendable (RunEvent) -> Void = { event in
        recorder.note(event)
        reporter.report(event)
      }
      let summary =
        if let plan { try await perform(plan, read: &read, observe: observe) } else {
          try await perform(chosen, read: &read, observe: observe)
        }
      code = writer.write(read, summary, summary.exitCode(reportsDue: check))
      reporter.finish(summary, code)
    } catch let stopped as PhotoBatch.ExitCode {
      code = writer.write(read, nil, stopped)
      reporter.finish(recorder.summary, code, isWhole: false)
    } catch let error as any UserError {
      let code = writer.write(read, nil, PhotoBatch.ExitCode(error), error: error)
      reporter.finish(recorder.summary, code, error: error, isWhole: false)
      throw error
    }
    if code != .success { throw code }
  }

  /// Reads the recipe, and runs or plans it for the selected photos.
  private func perform(
    _ chosen: Result<PhotoChoice, any Error>, read: inout Recipe?,
    observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    warnOfDurability()
    let document = try RecipeDocument(contentsOf: FilePath(recipe ?? ""))
    let choice = try chosen.get()
    try checkSelection(isWhole: choice.isWhole)
    var options = try options()
    options.choice = choice
    options.output = options.output ?? choice.output
    let batch = try Batch(document, library: choice.library, options: options)
    if isDryRun || check { return try await plan(batch, read: &read, observe) }
    if case .unplanned(let index, let count)? = sharding.number {
      read = batch.recipe
      return try await Interruption.handling {
        try await batch.runShard(index, of: count, observe)
      }
    }
    if try await !Consent.isGiven(for: batch) { throw PhotoBatch.ExitCode.needsPerson }
    let mayDiscard = yes || Consent.isAskedFor(by: batch.options)
    read = batch.recipe
    return try await Interruption.handling {
      try await batch.run(mayDiscard: mayDiscard, observe)
    }
  }

  /// Processes a shard of a plan.
  private func perform(
    _ plan: ShardPlan, read: inout Recipe?, observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    warnOfDurability()
    let index = try sharding.index()
    var options = try options()
    options.command = "run --plan \(plan.path) --shard \(index)"
    let batch = try Batch(plan, options: options)
    read = batch.recipe
    return try await Interruption.handling {
      try await batch.runShard(index, of: plan, observe)
    }
  }

  private func warnOfDurability() {
    if rendering.durability == .none {
      Message.say("warning: with --durability none, a power failure may damage the renditions")
    }
  }

  /// Prints the plan of a run, and writes a preview file if the user requested one.
  private func plan(
    _ batch: Batch, read: inout Recipe?, _ observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    read = batch.recipe
    let writer = try preview.map { try PreviewWriter(FilePath($0), mayReplace: yes) }
    let due = DuePhotos()
    let summary = try await Interruption.handling {
      try await batch.plan { event in
        due.note(event)
        observe(event)
      }
    }
    if let writer {
      let paths = due.paths
      let report = try await Interruption.handling {
        try await batch.preview(edge: Preview.standardSize) { paths.contains($0) }
      }
      try await writer.write(report, of: batch.recipe)
    }
    return summary
  }

  private func options() throws -> BatchOptions {
    var options = try rendering.options()
    try choice.apply(to: &options)
    options.leastPhotos = minPhotos
    options.redoes = redo
    options.refreshes = refresh
    options.isAtomic = isAtomic
    options.wait = wait.map { .seconds($0) }
    options.mayDiscard = yes
    options.verifies = verify
    options.listsUpToDate = reporting.listsAll || isDryRun
    options.command = "run \(recipe ?? "")"
    return options
  }
}

/// Collects the paths of the photos that a dry run would render.
private final class DuePhotos: Sendable {
  private let found = Mutex<Set<FilePath>>([])

  var paths: Set<FilePath> { found.withLock { $0 } }

  func note(_ event: RunEvent) {
    guard case .finished(let outcome) = event, outcome.isDue else { return }
    found.withLock { _ = $0.insert(outcome.path) }
  }
}
