public import SystemPackage

/// A difference that `verify` found between a sidecar's record and the disk.
public struct Finding: Sendable, Hashable {
  public enum Kind: String, Sendable, CaseIterable {
    /// The original's bytes have changed since it was edited.
    case originalChanged = "original-changed"
    /// A sidecar without its original.
    case originalMissing = "original-missing"
    /// A rendition that was changed after phbatch wrote it.
    case modified
    /// A rendition that phbatch wrote, but not the recorded one; the next run makes it again.
    case stale
    /// A missing rendition; the next run makes it again.
    case missing
    /// A file or folder that cannot be read.
    case unreadable
    case corruptSidecar = "corrupt-sidecar"
    case newerSidecar = "newer-sidecar"
    case oversizedSidecar = "oversized-sidecar"
    /// A temporary file that a run left behind; the next run removes it.
    case leftover
    /// An unexpected file at a path that a commit needed; the commit kept it, and a person must
    /// check it.
    case parked
    /// An unfinished commit; the next run completes it.
    case unfinished
    case damagedJournal = "damaged-journal"
    /// A rendition that no sidecar records, or that has a sidecar of its own.
    case orphan

    /// The exit code of a command that has this finding.
    public var exitCode: ExitCode {
      switch self {
      case .orphan: .success
      case .leftover, .unfinished, .stale: .workDue
      case .missing, .unreadable: .assetFailed
      case .originalChanged, .originalMissing, .modified, .parked: .needsPerson
      case .corruptSidecar, .newerSidecar, .oversizedSidecar: .needsPerson
      case .damagedJournal: .internalError
      }
    }
  }

  /// The path from the root of the library, or of the folder that mirrors it.
  public let path: FilePath
  public let kind: Kind
  /// Further text about the finding; nil if the kind describes it completely.
  public let detail: String?

  init(_ path: FilePath, _ kind: Kind, _ detail: String? = nil) {
    self.path = path
    self.kind = kind
    self.detail = detail
  }
}
