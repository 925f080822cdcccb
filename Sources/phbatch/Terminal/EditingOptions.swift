import ArgumentParser
import PhotoBatch
import PhotoRecipes
import PhotoReports
import SystemPackage

/// The options that commands share which change the edits of photos.
struct EditingOptions: ParsableArguments {
  @Option(
    defaultAsFlag: 3600,
    help: ArgumentHelp(
      "Wait so long for another run to end; without it, 30 seconds for a watch to give way.",
      valueName: "seconds"))
  var wait: Int?

  @Option(help: "How to write results: text, or json with one event a line.")
  var format = OutputFormatOption.text

  @Flag(name: .shortAndLong, help: "Say nothing but what failed or needs a person.")
  var quiet = false

  /// Runs a command that says what it did to each photo, and exits with its code.
  func run(
    _ command: String,
    _ body:
      @escaping @Sendable (
        LibraryEditor, @escaping @Sendable (RunEvent) -> Void
      ) async throws -> RunSummary
  ) async throws {
    var options = BatchOptions()
    options.command = command
    options.wait = wait.map { .seconds($0) }
    let editing = LibraryEditor(options)
    let reporter = RunReporter(format: format, progress: .none, isQuiet: quiet, showsEach: true)
    let summary = try await Interruption.handling { try await body(editing, reporter.report) }
    let code = summary.exitCode(reportsDue: false)
    reporter.finish(summary, code)
    if code != .success { throw code }
  }
}

/// Which library photos belong to.
struct LibraryOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The library, or the folder that mirrors it, where no run has made one yet.",
      valueName: "folder"),
    completion: .directory)
  var library: String?

  var path: FilePath? { library.map { FilePath($0) } }
}
