public import Notation
public import SystemPackage

/// The reason why a recovery is not possible.
public enum RecoveryError: UserError, Hashable {
  /// A journal is damaged; it is kept under this name.
  case illegible(FilePath)
  /// A journal was written by another machine, or names paths that phbatch never publishes.
  case forged(FilePath)
  /// A journal, or a folder above it, belongs to another user, or other users may write to it.
  case open(FilePath)

  public var message: String {
    switch self {
    case .illegible(let path): "the journal of a commit is damaged: '\(path.displayed)'"
    case .forged(let path):
      "'\(path.displayed)' was written on another machine, or not by phbatch; nothing was changed"
    case .open(let path):
      "the journal may be forged, because other users may write to '\(path.displayed)'"
    }
  }

  public var hint: String {
    switch self {
    case .illegible:
      "check the library with 'phbatch verify', then remove that file; until then temporary files"
        + " are kept"
    case .forged:
      "run phbatch on that machine first; if there is no other machine, remove that file"
    case .open: "run 'chmod go-w' on it, then run phbatch as its owner; or remove the journal"
    }
  }
}
