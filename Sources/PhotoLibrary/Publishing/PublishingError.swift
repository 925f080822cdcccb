public import PhotoRecipes
public import SystemPackage

/// Why a group was not published.
public enum PublishingError: UserError, Hashable {
  /// What has the name is not what was expected. `published` have been exchanged before that was
  /// seen: none, unless the file changed in the moment between check and rename.
  case conflict(FilePath, published: [FilePath])
  case failed(FileSystemError, published: [FilePath])

  public var message: String {
    switch self {
    case .conflict(let path, _): "'\(path.displayed)' is not what it was when the run looked"
    case .failed(let error, _): error.message
    }
  }

  public var hint: String {
    switch self {
    case .conflict: "another program wrote it; it was left alone, run again to decide anew"
    case .failed(let error, _): error.hint
    }
  }
}
