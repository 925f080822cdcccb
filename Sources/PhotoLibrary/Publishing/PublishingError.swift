public import Notation
import PhotoRecipes
public import SystemPackage

/// Why a group was not published.
public enum PublishingError: UserError, Hashable {
  /// An unexpected file has the name: it was left alone, and all files of the group are unchanged.
  case conflict(FilePath)
  /// The photo that the group was made from is not the one that was read.
  case sourceChanged(FilePath)
  /// A call failed before anything was published, or everything was taken back.
  case failed(FileSystemError)
  /// A call failed when the group was committed: the next recovery completes it or takes it back.
  case unfinished(FileSystemError)
  /// The group was fine, but was to be published with this one or not at all.
  case withdrawn(with: FilePath)

  public var message: String {
    switch self {
    case .conflict(let path): "'\(path.displayed)' is not what it was when the run looked"
    case .sourceChanged(let path): "'\(path.displayed)' changed after it was read"
    case .failed(let error), .unfinished(let error): error.message
    case .withdrawn(let path): "nothing was published, because of '\(path.displayed)'"
    }
  }

  public var hint: String {
    switch self {
    case .conflict: "another program wrote it; it was left alone, run again to decide anew"
    case .sourceChanged: "run again"
    case .failed(let error): error.hint
    case .unfinished(let error): "\(error.hint); the next run completes what was begun"
    case .withdrawn: "see to that file, and run again"
    }
  }

  /// The path that it is about.
  var path: FilePath {
    switch self {
    case .conflict(let path), .sourceChanged(let path), .withdrawn(let path): path
    case .failed(let error), .unfinished(let error): error.path
    }
  }
}
