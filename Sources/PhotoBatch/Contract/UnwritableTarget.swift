import Notation
import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// The error that a file that the user named for a result, such as a report or a plan, cannot be
/// written.
public struct UnwritableTarget: CommandError {
  private let path: FilePath
  private let errno: Errno

  /// Calls `write`, which writes the file at `path`, perhaps by way of a temporary file.
  ///
  /// - Throws: `UnwritableTarget` for an error of the file system; other errors of `write`.
  public static func attempt<Result>(
    _ path: FilePath, _ write: () throws -> Result
  ) throws -> Result {
    do { return try write() } catch let error as FileSystemError {
      throw UnwritableTarget(path: path, errno: error.errno)
    }
  }

  public var message: String { "cannot write '\(path.displayed)': \(errno)" }

  public var hint: String {
    switch errno {
    case .noSuchFileOrDirectory, .notDirectory, .readOnlyFileSystem:
      "name a file in a folder that exists and can be written"
    default: FileSystemError(.write, path, errno).hint
    }
  }

  public var code: ExitCode {
    switch errno {
    case .noSuchFileOrDirectory, .notDirectory: .cannotCreate
    default: ExitCode(errno)
    }
  }
}
