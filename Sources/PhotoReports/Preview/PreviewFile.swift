public import Notation
public import PhotoBatch
import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// The file that previews are written to: a page or a sheet, by its extension.
///
/// A preview replaces the files of an earlier preview without asking, but never any other file.
public struct PreviewFile: Sendable {
  public enum Kind: String, Sendable {
    case page = "html"
    case sheet = "png"
  }

  public let kind: Kind
  private let path: FilePath
  private let files: RealFileSystem
  private let name: FilePath

  /// Checks the existing file, if any, before anything is rendered.
  ///
  /// - Throws: `UnusablePreviewFile`; `FileSystemError` for its folder.
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
    files = try RealFileSystem(root: folder.isEmpty ? "." : folder)
    guard let status = try files.status(at: self.name), try !isOurs(status) else { return }
    guard kind == .page, mayReplace, status.kind == .regular else {
      throw UnusablePreviewFile(
        "'\(path.displayed)' exists, and 'phbatch preview' did not write it",
        hint: kind == .page
          ? "give another file, or replace it with --yes" : "give another file, or remove it",
        code: .cannotCreate)
    }
  }

  public func write(_ bytes: [UInt8]) throws { try files.replace(name, with: bytes) }

  /// True if an earlier preview wrote the file, as a mark near its start shows.
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

/// The error of a file to which previews cannot be written.
public struct UnusablePreviewFile: UserError {
  public let message: String
  public let hint: String
  /// The exit code of the command.
  public let code: ExitCode

  init(_ message: String, hint: String, code: ExitCode) {
    (self.message, self.hint, self.code) = (message, hint, code)
  }
}
