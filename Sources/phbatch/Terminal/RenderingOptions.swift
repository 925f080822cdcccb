import ArgumentParser
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The options that `run` and `watch` share.
struct RenderingOptions: ParsableArguments {
  @Option(help: "Photos rendered at a time; one per core by default.")
  var jobs: Int?

  @Option(help: "Write sidecars and renditions below this folder, which mirrors the library.")
  var output: String?

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

  @Flag(help: "Render changed photos again even if they have settings of their own.")
  var acceptChanged = false

  @OptionGroup var limits: LimitOptions

  @Option(
    help: "What to sync to disk: full everything, batch all published files, none nothing.")
  var durability = Durability.batch

  @Flag(help: "Render nothing unless workers can be sandboxed; see 'phbatch doctor'.")
  var requireSandbox = false

  @Flag(help: "Let the recipe run the programs that it names.")
  var allowExternal = false

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
  }

  func options() throws -> BatchOptions {
    var options = BatchOptions()
    options.output = output.map { FilePath($0) }
    options.jobs = jobs
    options.requiresSandbox = requireSandbox
    options.assignments = try assignments.map { try Assignment(argument: $0) }
    options.previous = previous
    options.onModified = onModified
    options.onForeign = onForeign
    options.acceptsChanged = acceptChanged
    options.durability = durability
    limits.apply(to: &options)
    options.allowsExternal = allowExternal
    return options
  }
}
