import ArgumentParser
import Notation
import PhotoBatch
import PhotoRecipes
import PhotoReports
import SystemPackage

/// The options common to the commands that change existing edits of photos.
struct EditingOptions: ParsableArguments {
  @Option(
    defaultAsFlag: 3600,
    help: ArgumentHelp(
      "Wait this long for another run to end; without this option, 30 seconds for a watch to"
        + " pause.",
      valueName: "seconds"))
  var wait: Int?

  @Option(help: "The format of the results: text, or json with one event per line.")
  var format = OutputFormatOption.text

  @Flag(name: .shortAndLong, help: .quiet)
  var quiet = false

  /// Runs a command that reports the outcome of each photo, and exits with the command's code.
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
    let reporter = RunReporter(
      format: format, progress: .none, isQuiet: quiet, showsEach: true,
      sorts: true)
    let recorder = ReportRecorder(listsPhotos: false)
    let code: PhotoBatch.ExitCode
    do {
      let summary = try await Interruption.handling {
        try await body(editing) { event in
          recorder.note(event)
          reporter.report(event)
        }
      }
      code = summary.exitCode(reportsDue: false)
      reporter.finish(summary, code)
    } catch let stopped as PhotoBatch.ExitCode {
      code = stopped
      reporter.finish(recorder.summary, code, isWhole: false)
    } catch let error as any UserError {
      let code = PhotoBatch.ExitCode(error)
      reporter.finish(recorder.summary, code, error: error, isWhole: false)
      throw error
    }
    if code != .success { throw code }
  }
}

/// The option that names the library of the given photos.
struct LibraryOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The library, or the output folder that mirrors it; needed before its first run, and for a single"
        + " folder of it.",
      valueName: "folder"),
    completion: .directory)
  var library: String?

  var path: FilePath? { library.map { FilePath($0) } }
}
