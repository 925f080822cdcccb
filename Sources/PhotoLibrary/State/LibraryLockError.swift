import FoundationEssentials
public import Notation
import PhotoRecipes
public import SystemPackage

/// The error if another process is writing to the output root.
public struct LibraryLockError: UserError, Hashable {
  public let root: FilePath
  /// The holder of the lock; nil if it left no note.
  public let holder: LockNote?

  public var message: String {
    guard let holder else { return "another run is using '\(root.displayed)'" }
    return """
      '\(root.displayed)' is in use by 'phbatch \(holder.command)', process \(holder.process) on \
      \(holder.host), since \(holder.started.ISO8601Format())
      """
  }

  public var hint: String { "wait until it ends, or use --wait SECONDS" }
}
