public import Notation
import PhotoRecipes
public import SystemPackage

/// The reason why a group was not published.
public enum PublishingError: UserError, Hashable {
  /// Another file than expected has the name. It is left unchanged, and so are all files of the
  /// group.
  case conflict(FilePath)
  /// The photo from which the group was made has changed since it was read.
  case sourceChanged(FilePath)
  /// A call failed before any file was published, or every change was taken back.
  case failed(FileSystemError)
  /// A call failed after the group was committed: the next recovery completes the commit or takes
  /// it back.
  case unfinished(FileSystemError)
  /// The group has no error of its own. It had to be published together with the group of this
  /// file, which failed.
  case withdrawn(with: FilePath)

  public var message: String {
    switch self {
    case .conflict(let path): "'\(path.displayed)' changed after the run checked it"
    case .sourceChanged(let path): "'\(path.displayed)' changed after it was read"
    case .failed(let error), .unfinished(let error): error.message
    case .withdrawn(let path):
      "nothing was published, because '\(path.displayed)' cannot be published"
    }
  }

  public var hint: String {
    switch self {
    case .conflict: "another program changed the file, which was kept; run again"
    case .sourceChanged: "run again"
    case .failed(let error): error.hint
    case .unfinished(let error): "\(error.hint); the next run completes the commit"
    case .withdrawn: "solve the problem with that file, then run again"
    }
  }

  /// The path of the file that the error concerns.
  var path: FilePath {
    switch self {
    case .conflict(let path), .sourceChanged(let path), .withdrawn(let path): path
    case .failed(let error), .unfinished(let error): error.path
    }
  }
}
