/// The reason why a photo was rendered or not, in the form that reports and scripts use.
///
/// The reason determines the exit code.
public enum Reason: String, Sendable, Hashable, CaseIterable {
  case rendered
  case upToDate = "up-to-date"
  case notSelected = "not-selected"
  case unsupportedFormat = "unsupported-format"
  case reverted
  case restored
  case repaired
  case skipped
  case foreignNewer = "foreign-newer"
  case orphan
  case pruned
  case superseded

  case unreadable
  case truncated
  case decoderCrash = "decoder-crash"
  case timeout
  case outOfMemory = "out-of-memory"
  case tooLarge = "too-large"
  case collision
  case nameTooLong = "name-too-long"
  case deniedMetadata = "denied-metadata"
  case fileMissing = "file-missing"
  case encodeFailed = "encode-failed"
  case writeFailed = "write-failed"
  case externalFailed = "external-failed"
  case overBudget = "over-budget"
  case warned
  case noEdit = "no-edit"
  case invalidSettings = "invalid-settings"

  case modified
  case edited
  case needsConsent = "needs-consent"
  case occupied
  case originalChanged = "original-changed"
  case originalMissing = "original-missing"
  case baseMissing = "base-missing"
  case buried
  case otherVariant = "other-variant"
  case corruptSidecar = "corrupt-sidecar"
  case newerSidecar = "newer-sidecar"
  case oversizedSidecar = "oversized-sidecar"
}

extension Reason {
  /// False if there is no photo at the path: it is missing, or another kind of file is there.
  var isOfPresentPhoto: Bool {
    switch self {
    case .originalMissing, .fileMissing, .orphan, .pruned: false
    default: true
    }
  }

  /// The kind of outcome that a reason means for the run.
  public enum Outcome: Int, Sendable, Comparable {
    case fine = 0
    /// The next run will render the photo.
    case due = 2
    case failed = 3
    /// A user must decide about the photo; its files were not changed.
    case needsPerson = 4

    public static func < (a: Outcome, b: Outcome) -> Bool { a.rawValue < b.rawValue }
  }

  /// True if a decision with this reason stays valid until the files change.
  ///
  /// A decision after a failed read does not, because the next read may succeed.
  var isLasting: Bool {
    switch self {
    case .upToDate, .notSelected, .unsupportedFormat, .reverted, .skipped, .foreignNewer,
      .otherVariant, .buried:
      true
    default: false
    }
  }

  /// True if a run counts the photo without naming it.
  public var isQuiet: Bool { outcome == .fine && self != .foreignNewer && self != .orphan }

  public var outcome: Outcome {
    switch self {
    case .rendered, .upToDate, .notSelected, .unsupportedFormat, .reverted, .restored, .repaired,
      .skipped, .foreignNewer, .orphan, .pruned:
      .fine
    case .superseded: .due
    case .unreadable, .truncated, .decoderCrash, .timeout, .outOfMemory, .tooLarge, .collision,
      .nameTooLong, .deniedMetadata, .fileMissing, .encodeFailed, .writeFailed,
      .externalFailed, .overBudget, .warned, .noEdit, .invalidSettings:
      .failed
    case .modified, .edited, .needsConsent, .occupied, .originalChanged, .originalMissing,
      .baseMissing, .buried,
      .otherVariant, .corruptSidecar, .newerSidecar, .oversizedSidecar:
      .needsPerson
    }
  }
}
