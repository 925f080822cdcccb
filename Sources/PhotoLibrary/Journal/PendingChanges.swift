public import SystemPackage

/// What commits change that were begun and not ended: the next run completes them, or takes them
/// back.
public struct PendingChanges: Sendable {
  private let entries: [FilePath: [Journal.Entry]]

  init(_ journals: [Journal] = []) {
    entries = Dictionary(grouping: journals.flatMap(\.units).flatMap(\.entries), by: \.path)
  }

  /// Whether a name is to be changed, or was.
  public func concern(_ path: FilePath) -> Bool { entries[path] != nil }

  /// Whether a file has its name by a commit, that no sidecar may tell of yet.
  public func isNew(_ path: FilePath) -> Bool {
    entries[path]?.contains { $0.old == nil } ?? false
  }

  /// Whether a commit found these bytes under the name, or puts them there.
  public func explain(_ digest: Digest, at path: FilePath) -> Bool {
    entries[path]?.contains { $0.old == digest || $0.new == digest } ?? false
  }
}
