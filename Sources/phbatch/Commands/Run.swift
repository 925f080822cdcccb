import ArgumentParser
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage

/// The `run` command.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Render what is not up to date.",
    discussion: """
      Exit codes: 0 done or nothing to do, 2 --check found work, 3 a photo failed, 4 something needs \
      a person, 64 usage, 65 invalid recipe, 66 no such recipe or library, 73 cannot create, 74 I/O \
      error, 75 another run holds the library, 77 no permission, 130 and 143 stopped by a signal.
      """)

  @Argument(help: "The recipe, a JSON file.", completion: .file(extensions: ["json"]))
  var recipe: String

  @Argument(help: "The folder of photos.", completion: .directory)
  var library: String

  @Flag(help: "Write nothing; exit with 2 if anything is due.")
  var check = false

  @Flag(name: .customLong("dry-run"), help: "Write nothing; list what is due.")
  var isDryRun = false

  @Option(
    help: ArgumentHelp(
      "With --dry-run: show what is due before and after, as a page (.html) or sheet (.png).",
      valueName: "file"))
  var preview: String?

  @Option(help: "Photos rendered at a time; one a core by default.")
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "The most memory for all processes together, as 512M or 2G; half of what is free by default.",
      valueName: "size"))
  var memory: String?

  @Option(help: "Seconds for a photo, plus one a megapixel above 100.")
  var timeout = 120

  @Option(help: "Write sidecars and renditions below this folder, which mirrors the library.")
  var output: String?

  @OptionGroup var choice: ChoiceOptions

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp("Set a parameter, or a setting as step.setting.", valueName: "key=value"))
  var assignments: [String] = []

  @Option(
    help: "What to do with photos that are edited already: resume, replace, stack, skip, fail.")
  var previous = PreviousPolicy.resume

  @Option(
    help: """
      What to do with renditions that were changed by hand: keep them and leave the photo alone, \
      overwrite them, or adopt them as edits of their own.
      """)
  var onModified = ModifiedPolicy.keep

  @Option(
    help: """
      What to do with another program's edit that came after ours: report it, ignore it, stack on \
      it, replace ours by it.
      """)
  var onForeign = ForeignPolicy.report

  @Flag(help: "Render photos anew that changed though they have settings of their own.")
  var acceptChanged = false

  @Flag(help: "Make edits again that were reverted.")
  var redo = false

  @Flag(
    help: """
      Make renditions again that an older phbatch rendered in another way, and try photos again \
      that ended a worker.
      """)
  var refresh = false

  @Option(help: "The most pixels that a photo may have.")
  var maxPixels: Int?

  @Option(help: ArgumentHelp("Wait so long for another run to end.", valueName: "seconds"))
  var wait: Int?

  @Flag(name: .customLong("atomic"), help: "Publish all that the run makes together, or nothing.")
  var isAtomic = false

  @Option(
    help: "What a power failure may take back: full nothing, batch nothing that counts, none.")
  var durability = Durability.batch

  @OptionGroup var reporting: ReportOptions

  @Flag(help: "Render nothing unless workers can be shut in; 'phbatch doctor' says what holds.")
  var requireSandbox = false

  @Flag(help: "Let the recipe run the programs that it names.")
  var allowExternal = false

  @Flag(help: "Read every file again, whatever an earlier run found.")
  var verify = false

  @Flag(help: "Drop edits where the other options ask for it.")
  var yes = false

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
    if let memory, MemoryBudget.bytes(memory) == nil {
      throw ValidationError("--memory must be a size, as 512M or 2G")
    }
    if timeout < 1 { throw ValidationError("--timeout must be at least 1") }
    if let maxPixels, maxPixels < 1 { throw ValidationError("--max-pixels must be at least 1") }
    if let wait, wait < 0 { throw ValidationError("--wait must be at least 0") }
    if preview != nil && !isDryRun { throw ValidationError("--preview goes with --dry-run") }
  }

  func run() async throws {
    let writer = try ReportWriter(
      reporting, recipe: recipe, library: library, isDryRun: isDryRun || check)
    let reporter = RunReporter(
      format: reporting.format, progress: reporting.progress, isQuiet: reporting.quiet,
      showsEach: isDryRun)
    let recorder = writer.recorder
    let code: PhotoBatch.ExitCode
    var read: Recipe?
    do {
      let summary = try await perform(read: &read) { event in
        recorder.note(event)
        reporter.report(event)
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

  /// Reads the recipe and carries it out.
  private func perform(
    read: inout Recipe?, observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws -> RunSummary {
    if durability == .none {
      Message.say("warning: with --durability none, a power failure may damage what is rendered")
    }
    var options = try options()
    if try await !Consent.isGiven(for: options, recipe: recipe, library: library) {
      throw PhotoBatch.ExitCode.needsPerson
    }
    options.mayDiscard = options.mayDiscard || Consent.isAskedFor(by: options)
    let batch = try Batch(
      recipe: FilePath(recipe), library: FilePath(library), options: options)
    read = batch.recipe
    let writer = try preview.map { try PreviewWriter(FilePath($0), mayReplace: yes) }
    let due = DuePhotos()
    let summary = try await Interruption.handling {
      try await batch.run { event in
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
    var options = BatchOptions()
    options.output = output.map { FilePath($0) }
    options.jobs = jobs
    options.timeout = .seconds(timeout)
    options.memory = memory.flatMap { MemoryBudget.bytes($0) }
    options.requiresSandbox = requireSandbox
    try choice.apply(to: &options)
    options.assignments = try assignments.map { try Assignment(argument: $0) }
    options.previous = previous
    options.onModified = onModified
    options.onForeign = onForeign
    options.acceptsChanged = acceptChanged
    options.redoes = redo
    options.refreshes = refresh
    options.isDryRun = isDryRun || check
    options.isAtomic = isAtomic
    options.durability = durability
    options.wait = wait.map { .seconds($0) }
    options.pixelLimit = maxPixels
    options.allowsExternal = allowExternal
    options.mayDiscard = yes
    options.verifies = verify
    options.listsSettled = reporting.listsAll || isDryRun
    options.command = "run \(recipe)"
    return options
  }
}

/// The photos that a dry run found to be due.
private final class DuePhotos: Sendable {
  private let found = Mutex<Set<FilePath>>([])

  var paths: Set<FilePath> { found.withLock { $0 } }

  func note(_ event: RunEvent) {
    guard case .finished(let outcome) = event, outcome.isDue else { return }
    found.withLock { _ = $0.insert(outcome.path) }
  }
}
