import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// The annotations of a run, which GitHub Actions shows beside changed files, as workflow commands,
/// one per line.
///
/// - Source: docs.github.com/actions, "Workflow commands"; the escapes follow `@actions/core`,
///   `command.ts`. GitHub shows at most ten of a kind for each step.
public struct GitHubAnnotations: Sendable {
  private let report: RunReport
  private let library: FilePath

  /// The maximum number of annotations of one kind; GitHub does not show more in a step.
  private static let most = 10

  /// Creates the annotations; photos have paths from the workspace if it contains the library, and
  /// paths from the library otherwise.
  ///
  /// Both `library` and `workspace` are absolute paths without symbolic links.
  public init(_ report: RunReport, library: FilePath, workspace: FilePath?) {
    self.report = report
    var path = library
    let isInside = workspace.map { path.removePrefix($0) } ?? false
    self.library = isInside ? path : library
  }

  public var lines: [String] {
    var errors = report.troubled.map { annotation("error", $0, $0.reason.rawValue, $0.words) }
    errors += report.due.map {
      annotation("error", $0, "due", "the renditions are missing or not up to date")
    }
    if let error = report.error {
      errors.insert("::error title=phbatch::\(Self.data("\(error.message)\n\(error.hint)"))", at: 0)
    }
    var warnings = report.warnings.map { "::warning title=phbatch::\(Self.data($0))" }
    warnings += report.flagged.flatMap { photo in
      photo.warnings.map { annotation("warning", photo, "warning", $0) }
    }
    return Self.capped(errors, "error") + Self.capped(warnings, "warning")
  }

  private func annotation(
    _ kind: String, _ photo: AssetOutcome, _ title: String, _ words: String
  ) -> String {
    let file = library.appending(photo.path.components).displayed
    return "::\(kind) file=\(Self.property(file)),title=\(Self.property(title))::"
      + Self.data("\(photo.path.displayed): \(words)")
  }

  private static func capped(_ lines: [String], _ kind: String) -> [String] {
    guard lines.count > most else { return lines }
    return lines.prefix(most - 1) + ["::\(kind) title=phbatch::and \(lines.count - most + 1) more"]
  }

  private static func data(_ text: String) -> String {
    text.spelling(["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  private static func property(_ text: String) -> String {
    text.spelling(["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
  }
}

extension AssetOutcome {
  fileprivate var words: String {
    [sentence, hint].compactMap(\.self).joined(separator: "\n")
  }
}
