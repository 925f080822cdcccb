import ArgumentParser
import FoundationEssentials
import Glibc
import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import PhotoReports
import SystemPackage

/// The options for the output of a run, on the terminal and in report files.
struct ReportOptions: ParsableArguments {
  @Option(
    name: .customLong("report"), parsing: .singleValue,
    help: ArgumentHelp(
      """
      Write a report of the run to this file; its extension selects the format: .json, .xml \
      (JUnit), .html, .md, or .prom (for Prometheus' node_exporter). May be given several times.
      """,
      valueName: "file"),
    completion: .file(extensions: ["json", "xml", "html", "md", "prom"]))
  var reports: [String] = []

  @Option(help: "How to show progress: auto, bar, plain, none.")
  var progress = ProgressOption.auto

  @Option(help: "The format of the results: text, or json with one event per line.")
  var format = OutputFormatOption.text

  @Flag(name: .shortAndLong, help: .quiet)
  var quiet = false

  /// True if the run reports every photo, even photos that need no work.
  var listsAll: Bool { format == .json || !reports.isEmpty }
}

/// Writes the report files of a run; in GitHub Actions also annotations and the job summary.
struct ReportWriter {
  private let files: [ReportFile]
  private let recipe: FilePath
  private let library: FilePath
  private let isDryRun: Bool
  let recorder: ReportRecorder

  /// Checks before the run begins that the report files can be written.
  init(_ options: ReportOptions, recipe: String, library: String, isDryRun: Bool) throws {
    files = try options.reports.map { try ReportFile(FilePath($0)) }
    self.recipe = FilePath(recipe)
    self.library = FilePath(library)
    self.isDryRun = isDryRun
    recorder = ReportRecorder(listsPhotos: !files.isEmpty || Self.isInGitHubActions)
  }

  private static var isInGitHubActions: Bool {
    ProcessInfo.processInfo.environment["GITHUB_ACTIONS"] == "true"
  }

  /// Writes all report files; `summary` is nil if the run did not finish.
  ///
  /// - Returns: The exit code of the command, or the code of a failed report if that is higher.
  func write(
    _ recipe: Recipe?, _ summary: RunSummary?, _ code: PhotoBatch.ExitCode,
    error: (any UserError)? = nil
  ) -> PhotoBatch.ExitCode {
    guard let failure = failure(of: recipe, summary, code, error: error) else { return code }
    return failure.rawValue > code.rawValue ? failure : code
  }

  /// Writes all report files, and returns the highest exit code of those that failed; nil if all
  /// were written.
  func failure(
    of recipe: Recipe?, _ summary: RunSummary?, _ code: PhotoBatch.ExitCode,
    error: (any UserError)? = nil
  ) -> PhotoBatch.ExitCode? {
    let report = recorder.report(
      recipe: recipe, self.recipe, library: library, isDryRun: isDryRun, summary, code,
      error: error)
    var worst: PhotoBatch.ExitCode?
    for file in files {
      do { try file.write(report) } catch {
        let failure = PhotoBatch.ExitCode(error)
        Message.say("Error: \((error as? any UserError)?.message ?? "\(error)")")
        if failure.rawValue > worst?.rawValue ?? 0 { worst = failure }
      }
    }
    annotate(report)
    return worst
  }

  /// Writes annotations and the job summary if the command runs in GitHub Actions.
  ///
  /// The annotations go to stderr, where GitHub also reads workflow commands, so that stdout has
  /// only results.
  private func annotate(_ report: RunReport) {
    guard Self.isInGitHubActions else { return }
    let environment = ProcessInfo.processInfo.environment
    let workspace = environment["GITHUB_WORKSPACE"].flatMap { try? FilePath($0).canonical() }
    let annotations = GitHubAnnotations(
      report, library: (try? library.canonical()) ?? library, workspace: workspace)
    for line in annotations.lines { Message.say(line) }
    guard let path = environment["GITHUB_STEP_SUMMARY"] else { return }
    do {
      let file = try FileDescriptor.open(FilePath(path), .writeOnly, options: .append)
      try file.closeAfter {
        _ = try file.writeAll(Array(ReportFormat.markdown.text(of: report).utf8))
      }
    } catch {
      Message.say("warning: the job summary of GitHub Actions cannot be written: \(error)")
    }
  }
}
