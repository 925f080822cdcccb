public import Notation
public import PhotoImport
import PhotoRecipes

/// The error for another program's sidecar that cannot be read; the photo beside it can.
public enum ForeignReadError: UserError, Hashable {
  case file(FileSystemError)
  case content(ForeignFileError)

  public var message: String {
    switch self {
    case .file(let error): error.message
    case .content(let error): error.message
    }
  }

  public var hint: String {
    switch self {
    case .file(let error): error.hint
    case .content(let error): error.hint
    }
  }
}
