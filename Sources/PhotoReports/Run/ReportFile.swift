public import Notation
public import PhotoBatch
import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// A file for the report of a run; the file's extension selects the format of the report.
public struct ReportFile: Sendable {
  public let path: FilePath
  private let format: ReportFormat
  private let files: RealFileSystem
  private let name: FilePath

  /// The maximum number of bytes read from an existing file, to recognize it as a report.
  private static let longest = 1 << 20

  /// Checks, before the run begins, whether the report may be written.
  ///
  /// - Throws: `UnusableReportFile` if the name is not usable, or if the existing file is no
  ///   report; `UnwritableTarget` if the folder cannot be opened.
  public init(_ path: FilePath) throws {
    guard let name = path.lastComponent, name.kind == .regular,
      let format = name.extension.flatMap({ ReportFormat(rawValue: $0.lowercased()) })
    else {
      let known = ReportFormat.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
      throw UnusableReportFile(
        "'\(path.displayed)' is not a valid name for a report",
        hint: "use one of these extensions: \(known)",
        code: .usage)
    }
    let folder = path.removingLastComponent()
    self.path = path
    self.format = format
    self.name = FilePath(root: nil, [name])
    files = try UnwritableTarget.attempt(path) {
      try RealFileSystem(root: folder.isEmpty ? "." : folder)
    }
    try check()
    if Sidecar.original(of: path) != nil {
      throw UnusableReportFile(
        "'\(path.displayed)' has the name of a sidecar", hint: "name another file",
        code: .cannotCreate)
    }
  }

  /// Throws if the existing file must not be replaced, because it is neither a report nor empty.
  private func check() throws {
    guard let status = try files.status(at: name) else { return }
    let isEmpty = status.kind == .regular && status.identity.size == 0
    if try !isEmpty && previous()?.contains(ReportFormat.mark) != true {
      throw UnusableReportFile(
        "'\(path.displayed)' exists, and is not a report of phbatch",
        hint: "give another file, or remove it", code: .cannotCreate)
    }
  }

  /// Writes the report, replacing a previous one atomically.
  ///
  /// - Throws: `UnusableReportFile` if another file has appeared at the path since the check;
  ///   `UnwritableTarget` if the file cannot be written.
  public func write(_ report: RunReport) throws {
    try UnwritableTarget.attempt(path) {
      try check()
      let text = format.text(of: report, previous: try previous())
      try files.replace(name, with: Array(text.utf8))
    }
  }

  /// Returns the start of the existing file as text; nil if there is no regular file.
  private func previous() throws -> String? {
    guard let status = try files.status(at: name), status.kind == .regular else { return nil }
    let bytes = try files.read(files.open(name), at: 0, count: Self.longest)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The error that a report cannot be written to the file that the user named.
public struct UnusableReportFile: UserError, CommandError {
  public let message: String
  public let hint: String
  /// The command's exit code.
  public let code: ExitCode

  init(_ message: String, hint: String, code: ExitCode) {
    (self.message, self.hint, self.code) = (message, hint, code)
  }
}
