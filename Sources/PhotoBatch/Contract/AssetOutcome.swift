import PhotoLibrary
public import PhotoRecipes
public import SystemPackage

/// The outcome of a run for one photo, with its reason.
public struct AssetOutcome: Sendable {
  /// The path relative to the library's root.
  public var path: FilePath
  public var reason: Reason
  /// Further text about the outcome; nil if the reason describes it completely.
  public var detail: String?
  public var hint: String?
  public var renditions: [Rendition] = []
  /// The size of the original's file in bytes; nil if nothing was rendered.
  public var originalBytes: Int?
  /// The warnings, which do not make the photo fail.
  public var warnings: [String] = []
  /// True if a dry run found that the photo must be rendered.
  public var isDue = false
  /// The plan from which the outcome follows; nil if there is none.
  public var plan: PhotoPlan?
  /// True if the photo was skipped because a user's edits would be lost; `--yes` allows their loss.
  public var needsConsent = false
  /// The exit code that corresponds to the failed system call, such as 73 for a full disk; nil if
  /// none failed.
  public var systemCode: ExitCode?
  /// True if a file of the photo disappeared during the run.
  var isGone = false
  /// True if another command changed one of the photo's files after this command read them.
  var isOvertaken = false
  /// True if the outcome stays valid until the files, the recipe or the options change.
  var isLasting = false
  /// The files that the run published for this photo, with their new identities; the identity of a
  /// removed file is nil.
  var published: [(path: FilePath, identity: FileIdentity?)] = []

  public struct Rendition: Sendable, Hashable {
    public var output: String
    /// The path relative to the output root.
    public var path: FilePath
    public var size: Size
    public var bytes: Int
    /// The encoder's quality, if a byte budget made it lower than the recipe's; nil otherwise.
    public var quality: Int?
    /// The share, 0…1, of pixels whose colours were clipped to the output profile's gamut; nil if
    /// not known, or if the file has the original's bytes.
    public var clipped: Double?
    /// True if the file has the original's bytes because a rendering would not be smaller.
    public var isOriginal = false
  }

  init(_ path: FilePath, _ failure: PhotoFailure) {
    self.init(path, failure.reason, failure.detail, hint: failure.hint)
    warnings = failure.warnings
    systemCode = failure.code
    needsConsent = failure.needsConsent
    isGone = failure.isGone
  }

  init(_ path: FilePath, _ reason: Reason, _ detail: String? = nil, hint: String? = nil) {
    self.path = path
    self.reason = reason
    self.detail = detail
    self.hint = hint
  }
}

/// The totals of a run.
public struct RunSummary: Sendable {
  public var counts: [Reason: Int] = [:]
  /// The number of photos that a dry run would render.
  public var due = 0
  public var renditions = 0
  /// The total size of the written renditions in bytes.
  public var bytes = 0
  public var systemCode: ExitCode?
  /// True if a dry run found a commit that must be completed.
  public var hasUnfinishedCommit = false
  /// The errors of folders and files that could not be read.
  public var problems: [String] = []
  /// The reason why there were no photos; nil if there were some, or if it is not known.
  public var absence: NoPhotos?

  public init() {}

  /// True if the command reported no photo.
  public var isEmpty: Bool { counts.isEmpty && due == 0 }

  /// True if no photo failed and none needs a user's decision.
  var isFlawless: Bool { systemCode == nil && counts.keys.allSatisfy { $0.outcome == .fine } }

  /// Adds the totals of a later step of the same command.
  mutating func add(_ step: RunSummary) {
    add(step.counts)
    due += step.due
    renditions += step.renditions
    bytes += step.bytes
    problems += step.problems
    absence = absence ?? step.absence
    hasUnfinishedCommit = hasUnfinishedCommit || step.hasUnfinishedCommit
    systemCode = [systemCode, step.systemCode].compactMap(\.self).max { $0.rawValue < $1.rawValue }
  }

  mutating func add(_ more: [Reason: Int]) { counts.merge(more, uniquingKeysWith: +) }

  package mutating func add(_ outcome: AssetOutcome) {
    if outcome.isDue { due += 1 } else { counts[outcome.reason, default: 0] += 1 }
    renditions += outcome.renditions.count
    bytes += outcome.renditions.reduce(0) { $0 + $1.bytes }
    if let code = outcome.systemCode, code.rawValue > systemCode?.rawValue ?? 0 {
      systemCode = code
    }
  }

  /// The exit code of the run.
  ///
  /// A failed system call determines it, otherwise the most severe outcome.
  ///
  /// `reportsDue` is true for `--check`: a photo to be rendered or an unfinished commit then gives
  /// exit code 2, unless another outcome is more severe.
  public func exitCode(reportsDue: Bool) -> ExitCode {
    if let systemCode { return systemCode }
    switch counts.keys.map(\.outcome).max() ?? .fine {
    case .needsPerson: return .needsPerson
    case .failed: return .assetFailed
    case .due, .fine: return reportsDue && (due > 0 || hasUnfinishedCommit) ? .workDue : .success
    }
  }
}

/// A command that changed something and can be undone.
public struct UndoStep: Sendable {
  /// The number of steps after which the command is undone; 1 for the newest.
  public let number: Int
  /// The command, such as `run web.json`; nil if it is not recorded.
  public let command: String?
  /// The number of photos and files that the command changed.
  public let changes: Int
}

/// The events of a run.
public enum RunEvent: Sendable {
  /// The run begins, with the number of photos that will be reported.
  case began(photos: Int)
  case started(FilePath)
  /// A film, its preview or an animation is being rendered: the number of frames that are done in
  /// this pass, and the number of all frames, as the header states it for a film.
  case rendering(FilePath, frames: Int, of: Int)
  case finished(AssetOutcome)
  /// A command that can be undone; only in the list that `undo --list` makes.
  case undoable(UndoStep)
  case warning(String)
}
