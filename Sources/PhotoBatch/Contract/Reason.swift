/// Why an asset was rendered or not: the word that reports, scripts and exit codes go by.
public enum Reason: String, Sendable, Hashable, CaseIterable {
  case rendered
  case upToDate = "up-to-date"
  case notSelected = "not-selected"
  case unsupportedFormat = "unsupported-format"
  case reverted
  case skipped
  case foreignNewer = "foreign-newer"

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
  case externalFailed = "external-failed"
  case overBudget = "over-budget"

  case modified
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
  /// What the reason means for a run that met it.
  public enum Outcome: Int, Sendable, Comparable {
    case fine = 0
    case failed = 3
    /// Something needs a person; nothing of theirs was touched.
    case needsPerson = 4

    public static func < (a: Outcome, b: Outcome) -> Bool { a.rawValue < b.rawValue }
  }

  /// Whether a decision for this reason holds as long as the files stay as they are: it comes from
  /// what was read, and never from something that could not be read just then.
  var isLasting: Bool {
    switch self {
    case .upToDate, .notSelected, .unsupportedFormat, .reverted, .skipped, .foreignNewer,
      .otherVariant, .buried:
      true
    default: false
    }
  }

  public var outcome: Outcome {
    switch self {
    case .rendered, .upToDate, .notSelected, .unsupportedFormat, .reverted, .skipped, .foreignNewer:
      .fine
    case .unreadable, .truncated, .decoderCrash, .timeout, .outOfMemory, .tooLarge, .collision,
      .nameTooLong, .deniedMetadata, .fileMissing, .encodeFailed, .externalFailed,
      .overBudget:
      .failed
    case .modified, .occupied, .originalChanged, .originalMissing, .baseMissing, .buried,
      .otherVariant, .corruptSidecar, .newerSidecar, .oversizedSidecar:
      .needsPerson
    }
  }
}
