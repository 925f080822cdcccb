import Notation
import PhotoBatch
import PhotoLibrary
import SystemPackage

/// The file in which a command writes its result.
struct NewFile {
  let path: FilePath
  /// True if an existing file is replaced; false if an existing file is an error.
  let replaces: Bool

  /// Writes the whole file, or nothing.
  ///
  /// - Throws: `ExitCode.cannotCreate`, after a message, if the file exists and must not be replaced;
  ///   `UnwritableTarget`, also if a device, a FIFO or a socket is at the path.
  func write(_ text: String) throws {
    try UnwritableTarget.attempt(path) { try write(Array(text.utf8)) }
  }

  private func write(_ bytes: [UInt8]) throws {
    guard let name = path.lastComponent, name.kind == .regular else {
      throw FileSystemError(.create, path, .isDirectory)
    }
    let files = try RealFileSystem(root: path.folder)
    let file = FilePath(root: nil, [name])
    let existing = try files.status(at: file)
    if existing?.kind == .other { throw FileSystemError(.create, path, .notSupported) }
    if !replaces, existing != nil {
      Message.error(
        MissingInput(
          "'\(path)' already exists", hint: "give another file, or replace it with --yes"))
      throw PhotoBatch.ExitCode.cannotCreate
    }
    try files.replace(file, with: bytes)
  }
}

extension FilePath {
  /// The folder of the file at this path; `.` if the path is only a name.
  var folder: FilePath {
    let folder = removingLastComponent()
    return folder.isEmpty ? "." : folder
  }
}
