import Notation
public import PhotoBatch
import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// The file to which previews are written: an HTML page or a PNG sheet, by its extension.
///
/// A file that an earlier preview wrote is replaced without a question to the user. A page replaces
/// another file only with `--yes`, a sheet never does.
public struct PreviewFile: Sendable {
  public enum Kind: String, Sendable {
    case page = "html"
    case sheet = "png"
  }

  public let kind: Kind
  private let path: FilePath
  private let files: RealFileSystem
  private let name: FilePath

  /// Checks, before anything is rendered, whether the file may be written.
  ///
  /// - Throws: `UnusablePreviewFile` if the name is not usable, or if a file must not be replaced;
  ///   `UnwritableTarget` if the folder cannot be opened.
  public init(_ path: FilePath, mayReplace: Bool) throws {
    guard let name = path.lastComponent, name.kind == .regular,
      let kind = name.extension.flatMap({ Kind(rawValue: $0.lowercased()) })
    else {
      throw UnusablePreviewFile(
        "'\(path.displayed)' is neither .html nor .png",
        hint: "give a file with one of these extensions",
        code: .usage)
    }
    let folder = path.removingLastComponent()
    self.path = path
    self.kind = kind
    self.name = FilePath(root: nil, [name])
    files = try UnwritableTarget.attempt(path) {
      try RealFileSystem(root: folder.isEmpty ? "." : folder)
    }
    guard let status = try files.status(at: self.name), try !isOurs(status) else { return }
    guard kind == .page, mayReplace, status.kind == .regular else {
      throw UnusablePreviewFile(
        "'\(path.displayed)' exists, and 'phbatch preview' did not write it",
        hint: kind == .page
          ? "give another file, or replace it with --yes" : "give another file, or remove it",
        code: .cannotCreate)
    }
  }

  /// Writes the file, or nothing.
  ///
  /// - Throws: `UnwritableTarget` if it cannot be written.
  public func write(_ bytes: [UInt8]) throws {
    try UnwritableTarget.attempt(path) { try files.replace(name, with: bytes) }
  }

  /// True if phbatch wrote the existing file as a preview; a mark near the start of the file shows
  /// this.
  private func isOurs(_ status: FileStatus) throws -> Bool {
    guard status.kind == .regular else { return false }
    let start = try files.read(files.open(name), at: 0, count: 1 << 12)
    switch kind {
    case .page:
      let mark = "<meta name=\"generator\" content=\"\(PreviewPage.generator)\">"
      return start.starts(with: Array("<!DOCTYPE html>".utf8)) && start.contains(Array(mark.utf8))
    case .sheet: return start.contains(Array(PreviewSheet.mark.utf8))
    }
  }
}

/// The error that previews cannot be written to the file that the user named.
public struct UnusablePreviewFile: CommandError {
  public let message: String
  public let hint: String
  /// The exit code of the command.
  public let code: ExitCode

  init(_ message: String, hint: String, code: ExitCode) {
    (self.message, self.hint, self.code) = (message, hint, code)
  }
}
