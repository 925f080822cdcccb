public import SystemPackage

/// The changes of unfinished commits; the next run completes them or takes them back.
public struct PendingChanges: Sendable {
  private let entries: [FilePath: [Journal.Entry]]

  init(_ journals: [Journal] = []) {
    entries = Dictionary(grouping: journals.flatMap(\.units).flatMap(\.entries), by: \.path)
  }

  /// True if an unfinished commit changes this path.
  public func concern(_ path: FilePath) -> Bool { entries[path] != nil }

  /// True if an unfinished commit created the file; the photo's sidecar may not list the file yet.
  public func isNew(_ path: FilePath) -> Bool {
    entries[path]?.contains { $0.old == nil } ?? false
  }

  /// True if bytes with this digest were at the path before an unfinished commit, or are written
  /// there by the commit.
  public func explain(_ digest: Digest, at path: FilePath) -> Bool {
    entries[path]?.contains { $0.old == digest || $0.new == digest } ?? false
  }
}
