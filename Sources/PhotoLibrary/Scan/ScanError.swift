public import Notation
import PhotoRecipes
public import SystemPackage

/// The reason why a folder, with all below it, is missing from a scan.
public enum ScanError: UserError, Hashable {
  /// The folder or its `.phbatchignore` could not be read.
  case folder(FileSystemError)
  /// The ignore rules of the folder are invalid, so none of its files is scanned.
  case rules(IgnoreRulesError, folder: FilePath)

  public var message: String {
    switch self {
    case .folder(let error): error.message
    case .rules(let error, _): error.message
    }
  }

  public var hint: String {
    switch self {
    case .folder(let error): error.hint
    case .rules(let error, _): error.hint
    }
  }
}
