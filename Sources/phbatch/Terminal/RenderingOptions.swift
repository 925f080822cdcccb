import ArgumentParser
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The options for rendering that the commands `run` and `watch` share.
struct RenderingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The number of photos rendered simultaneously; one per core by default.", valueName: "count"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Write sidecars and renditions below this folder, which mirrors the library; the folder is"
        + " created, but not the folders above.",
      valueName: "folder"))
  var output: String?

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Set a parameter, or a setting of a step as step.setting.", valueName: "key=value"))
  var assignments: [String] = []

  @Option(
    help: "What to do with photos that already have edits: resume, replace, stack, skip, fail.")
  var previous = PreviousPolicy.resume

  @Option(
    help: """
      What to do with renditions that were changed by hand: keep them and skip the photo, \
      overwrite them, or adopt them as separate edits.
      """)
  var onModified = ModifiedPolicy.keep

  @Option(
    help: """
      What to do with an edit by another program that is newer than phbatch's edit: report it, \
      ignore it, stack on it, or replace phbatch's edit by it.
      """)
  var onForeign = ForeignPolicy.report

  @Flag(help: "Render photos with a changed original again, even if they have their own settings.")
  var acceptChanged = false

  @OptionGroup var limits: LimitOptions

  @Option(
    help: "What to sync to disk: full (all files), batch (published files), none.")
  var durability = Durability.batch

  @Flag(help: "Render only if workers can be sandboxed; see 'phbatch doctor'.")
  var requireSandbox = false

  @Flag(help: "Treat warnings about a photo's renditions as errors, and write none of them.")
  var strict = false

  @Flag(help: "Allow the recipe to run other programs.")
  var allowExternal = false

  func validate() throws {
    try Usage.check("--jobs", jobs, isAtLeast: 1)
  }

  func options() throws -> BatchOptions {
    var options = BatchOptions()
    options.output = output.map { FilePath($0) }
    options.jobs = jobs
    options.requiresSandbox = requireSandbox
    options.isStrict = strict
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
