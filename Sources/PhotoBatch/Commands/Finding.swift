public import SystemPackage

/// Something that `verify` found to be other than recorded.
public struct Finding: Sendable, Hashable {
  public enum Kind: String, Sendable, CaseIterable {
    /// The original is not the one that was edited.
    case originalChanged = "original-changed"
    /// A sidecar without its original.
    case originalMissing = "original-missing"
    /// A rendition whose bytes are not those phbatch wrote.
    case modified
    /// A rendition that is not there; the next run makes it again.
    case missing
    /// A file or folder that cannot be read.
    case unreadable
    case corruptSidecar = "corrupt-sidecar"
    case newerSidecar = "newer-sidecar"
    case oversizedSidecar = "oversized-sidecar"
    /// A temporary file that a run left behind; the next one removes it.
    case leftover
    /// A file that a commit met where it expected none, kept for a person to look at.
    case parked
    /// A commit was begun and not ended; the next run completes it.
    case unfinished
    case damagedJournal = "damaged-journal"

    /// What it asks the command to exit with.
    public var exitCode: ExitCode {
      switch self {
      case .leftover, .unfinished: .workDue
      case .missing, .unreadable: .assetFailed
      case .originalChanged, .originalMissing, .modified, .parked: .needsPerson
      case .corruptSidecar, .newerSidecar, .oversizedSidecar: .needsPerson
      case .damagedJournal: .internalError
      }
    }
  }

  /// From the library's root, or from that of the folder that mirrors it.
  public let path: FilePath
  public let kind: Kind
  /// In words, where the kind leaves something open.
  public let detail: String?

  init(_ path: FilePath, _ kind: Kind, _ detail: String? = nil) {
    self.path = path
    self.kind = kind
    self.detail = detail
  }
}
