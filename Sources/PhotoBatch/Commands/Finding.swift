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
    /// A file that phbatch wrote at a rendition's path, but that differs from the sidecar's record;
    /// the next run renders the recorded rendition again.
    case stale
    /// A rendition whose file is missing; the next run renders it again.
    case missing
    /// A file or folder that cannot be read.
    case unreadable
    case corruptSidecar = "corrupt-sidecar"
    case newerSidecar = "newer-sidecar"
    case oversizedSidecar = "oversized-sidecar"
    /// A temporary file that a run left behind; the next run removes it.
    case leftover
    /// A file that another program put where a commit had to write; the commit kept the file, and a
    /// user must check it.
    case parked
    /// An unfinished commit; the next run completes it.
    case unfinished
    /// A journal that cannot be read, or that this machine must not execute.
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

  /// The path, relative to the library's root or to the root of the output folder.
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
