import Notation
import PhotoLibrary
public import SystemPackage

/// The plan of a run for one photo: the action and its reasons.
///
/// `PhotoPlanner` makes the plan without side effects. Runs carry the plan out. Dry runs,
/// `--check`, `status`, `explain` and previews only read the plan, as does the question to the user
/// before edits are dropped. `description` gives the plan as lines of text:
///
///     IMG_0012.jpg: resume
///       web: recipe changed: exposure.stops was 0.5, is now 0.7
///       thumbnail: rendition missing
///       writes IMG_0012.thumbnail.jpg
///       replaces IMG_0012.web.jpg, IMG_0012.jpg.phbatch.json
public struct PhotoPlan: Sendable, Hashable {
  /// The path relative to the library's root.
  public let path: FilePath
  public let action: Action
  /// Further text about the action; nil if there is none.
  public internal(set) var detail: String?
  public internal(set) var hint: String?
  /// The renditions that will be written, each with its reasons; empty if there are none.
  public internal(set) var stale: [StaleOutput] = []
  /// The files that will be written, replaced or removed; empty if there are none.
  public internal(set) var files: [PlannedFile] = []
  /// True if renditions that were changed by hand become separate edits in the sidecar.
  public internal(set) var adopts = false
  /// The edits and settings of a user that would be dropped, as text.
  public internal(set) var losses: [String] = []
  public internal(set) var warnings: [String] = []
  /// The plans that other values of `--previous` would give; empty except for the command `status`.
  public internal(set) var alternatives: [PreviousPolicy: PhotoPlan] = [:]
  /// A warning about the size of the existing sidecar; a run that writes a new sidecar does not
  /// report it.
  var sizeWarning: String?
  /// True if the plan stays valid until the files, the recipe or the options change.
  var isLasting = false
  /// The members of a plan that was read from a file; nil for a plan of this run.
  private(set) var recorded: JSON.Object?
  /// The error if the action is `.leave` because of a failure; nil otherwise.
  var failure: PhotoFailure?

  public enum Action: Sendable, Hashable {
    /// The photo has no edit yet.
    case render
    /// The recipe's own edit is rendered again, at its place in the stack.
    case resume
    /// Edits are dropped, and the recipe starts a new stack.
    case replace
    /// The recipe starts from the image of the newest edit.
    case stack
    /// Nothing is rendered: the photo is up to date, skipped, or refused.
    case leave(Reason)

    /// The action in one word, or the reason why there is no action.
    public var word: String {
      switch self {
      case .render: "render"
      case .resume: "resume"
      case .replace: "replace"
      case .stack: "stack"
      case .leave(let reason): reason.rawValue
      }
    }
  }

  init(_ path: FilePath, _ action: Action, _ detail: String? = nil, hint: String? = nil) {
    self.path = path
    self.action = action
    self.detail = detail
    self.hint = hint
  }

  /// The plan for a photo that cannot be processed.
  init(_ path: FilePath, _ failure: PhotoFailure) {
    self.init(path, .leave(failure.reason), failure.detail, hint: failure.hint)
    self.failure = failure
    warnings = failure.warnings
  }

  /// The plan that a file with the plans of many photos recorded.
  init(recorded json: JSON, of path: FilePath) {
    self.init(path, .render)
    var members = JSON.Object()
    for key in ["action", "why", "files"] { members[key] = json[key] }
    recorded = members
  }

  /// The plan for a missing photo that has a sidecar.
  init(missing path: FilePath) {
    self.init(
      path, .leave(.originalMissing), "the photo is missing; sidecar and renditions were kept",
      hint: "if the photo was moved, run 'phbatch relink'; else 'phbatch prune --yes' removes both")
    isLasting = true
  }

  /// True if a run will write a file of this photo.
  public var isDue: Bool { if case .leave = action { adopts } else { true } }

  /// The reason why nothing is rendered; `rendered` if something is.
  public var reason: Reason { if case .leave(let reason) = action { reason } else { .rendered } }

  /// True if edits made by a user would be dropped and no option allows that.
  public var needsConsent: Bool { failure?.needsConsent ?? false }

  /// The outcome that a run reports if it renders nothing, or that a dry run reports.
  ///
  /// If a run only adopts renditions, it reports the reason why it renders nothing, so the photo is
  /// not due in a dry run. A plan for shards counts it as due, because a shard must adopt them.
  var outcome: AssetOutcome {
    var outcome = AssetOutcome(self)
    if adopts { outcome.isDue = false }
    return outcome
  }

  /// The same plan, marked as valid until the files, the recipe or the options change.
  var lasting: PhotoPlan {
    var plan = self
    plan.isLasting = true
    return plan
  }
}

extension PhotoPlan: CustomStringConvertible {
  public var description: String {
    let more = detail.map { ": \($0)" } ?? ""
    return (["\(path.displayed): \(action.word)\(more)"] + lines.map { "  \($0)" })
      .joined(separator: "\n")
  }

  /// The plan's reasons as text, one line for each, and its files, one line for each kind of
  /// change.
  public var lines: [String] { reasons + files.lines }

  /// The plan's reasons as text, with one line for all outputs that have the same reasons.
  public var reasons: [String] { stale.lines }
}

extension AssetOutcome {
  /// The outcome of a photo that is skipped, or that a dry run would render.
  init(_ plan: PhotoPlan) {
    self.init(plan.path, plan.reason, plan.detail, hint: plan.hint)
    self.plan = plan
    warnings = plan.warnings + (plan.sizeWarning.map { [$0] } ?? [])
    isDue = plan.isDue
    isLasting = plan.isLasting
    systemCode = plan.failure?.code
    needsConsent = plan.needsConsent
    isGone = plan.failure?.isGone ?? false
  }
}
