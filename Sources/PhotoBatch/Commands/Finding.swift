public import SystemPackage

/// A difference that `verify` found between a sidecar's record and the disk.
public struct Finding: Sendable, Hashable {
  public enum Kind: String, Sendable, CaseIterable {
    /// The original is not the one that was edited.
    case originalChanged = "original-changed"
    /// A sidecar without its original.
    case originalMissing = "original-missing"
    /// A rendition whose bytes are not those that phbatch wrote.
    case modified
    /// A missing rendition; the next run makes it again.
    case missing
    /// A file or folder that cannot be read.
    case unreadable
    case corruptSidecar = "corrupt-sidecar"
    case newerSidecar = "newer-sidecar"
    case oversizedSidecar = "oversized-sidecar"
    /// A temporary file that a run left behind; the next one removes it.
    case leftover
    /// A file that a commit found at a path it expected to be free; it was kept for a person to
    /// check.
    case parked
    /// An unfinished commit; the next run completes it.
    case unfinished
    case damagedJournal = "damaged-journal"

    /// The exit code of a command that found it.
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

  /// The path from the root of the library, or of the folder that mirrors it.
  public let path: FilePath
  public let kind: Kind
  /// More about the finding; nil if the kind says all.
  public let detail: String?

  init(_ path: FilePath, _ kind: Kind, _ detail: String? = nil) {
    self.path = path
    self.kind = kind
    self.detail = detail
  }
}
