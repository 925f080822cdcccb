import PhotoLibrary
public import PhotoRecipes
public import SystemPackage

/// What a run did with one photo, and why.
public struct AssetOutcome: Sendable {
  /// From the library's root.
  public var path: FilePath
  public var reason: Reason
  /// In words, where the reason leaves something open.
  public var detail: String?
  public var hint: String?
  public var renditions: [Rendition] = []
  /// Of what was rendered from; nil where nothing was.
  public var originalBytes: Int?
  /// What is worth a word though nothing failed.
  public var warnings: [String] = []
  /// Whether rendering is due; only of runs that render nothing.
  public var isDue = false
  /// What was planned for the photo, and why.
  public var plan: PhotoPlan?
  /// Whether `--yes` would do it, and edits would be lost.
  public var needsConsent = false
  /// The code for a failed system call.
  public var systemCode: ExitCode?
  /// Whether a file of the photo's went away between two looks.
  var isGone = false
  /// Whether it holds as long as the files, the recipe and the options stay as they are.
  var isLasting = false
  /// What was published, and is known by from now on; nil for what was removed.
  var published: [(path: FilePath, identity: FileIdentity?)] = []

  public struct Rendition: Sendable, Hashable {
    public var output: String
    /// From the output root.
    public var path: FilePath
    public var size: Size
    public var bytes: Int
    /// The encoder's, where a budget made it lower than the recipe's.
    public var quality: Int?
    /// The share, 0…1, of the pixels that lost a colour which the output's profile does not hold; nil
    /// where it is not known, and for the original's bytes.
    public var clipped: Double?
    /// Whether the file has the original's bytes, because a rendering saved nothing.
    public var isOriginal = false
  }

  init(_ path: FilePath, _ failure: PhotoFailure) {
    self.init(path, failure.reason, failure.detail, hint: failure.hint)
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

/// What a run came to.
public struct RunSummary: Sendable {
  public var counts: [Reason: Int] = [:]
  /// Photos that would be rendered; only of runs that render nothing.
  public var due = 0
  public var renditions = 0
  /// Of the renditions written.
  public var bytes = 0
  public var systemCode: ExitCode?
  /// Whether there is a commit to complete; only of runs that render nothing.
  public var hasUnfinishedCommit = false
  /// Folders and files that could not be looked at.
  public var problems: [String] = []

  public init() {}

  /// Whether no photo failed and none needs a person.
  var isFlawless: Bool { systemCode == nil && counts.keys.allSatisfy { $0.outcome == .fine } }

  mutating func add(_ settled: [Reason: Int]) { counts.merge(settled, uniquingKeysWith: +) }

  mutating func add(_ outcome: AssetOutcome) {
    if outcome.isDue { due += 1 } else { counts[outcome.reason, default: 0] += 1 }
    renditions += outcome.renditions.count
    bytes += outcome.renditions.reduce(0) { $0 + $1.bytes }
    if let code = outcome.systemCode, code.rawValue > systemCode?.rawValue ?? 0 {
      systemCode = code
    }
  }

  /// The exit code of the run: the highest that anything in it asks for.
  ///
  /// `reportsDue` is whether work that is due is what was asked: `--check`.
  public func exitCode(reportsDue: Bool) -> ExitCode {
    if let systemCode { return systemCode }
    switch counts.keys.map(\.outcome).max() ?? .fine {
    case .needsPerson: return .needsPerson
    case .failed: return .assetFailed
    case .fine: return reportsDue && (due > 0 || hasUnfinishedCommit) ? .workDue : .success
    }
  }
}

/// What happens in a run, as it happens.
public enum RunEvent: Sendable {
  /// So many photos were found.
  case began(photos: Int)
  case started(FilePath)
  case finished(AssetOutcome)
  case warning(String)
}
