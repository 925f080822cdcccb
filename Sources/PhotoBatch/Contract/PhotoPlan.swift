import PhotoLibrary
public import SystemPackage

/// What a run of a recipe will do to one photo, and why.
///
/// `PhotoPlanner` makes it without side effects. Runs carry it out; dry runs, `status`, previews and
/// the question before edits are dropped only read it. It prints as lines of text:
///
///     IMG_0012.jpg: resume
///       web: exposure.stops was 0.5, is 0.7
///       thumbnail: exposure.stops was 0.5, is 0.7; its file is missing
public struct PhotoPlan: Sendable, Hashable {
  /// From the library's root.
  public let path: FilePath
  public let action: Action
  /// More about the action, in words.
  public internal(set) var detail: String?
  public internal(set) var hint: String?
  /// The renditions that will be written, each with its reasons; empty where none will be.
  public internal(set) var stale: [StaleOutput] = []
  /// Whether renditions that somebody changed become edits of their own in the sidecar.
  public internal(set) var adopts = false
  /// The edits and settings that a person made and that would be dropped, in words.
  public internal(set) var losses: [String] = []
  public internal(set) var warnings: [String] = []
  /// A warning about the sidecar's size, which a new sidecar makes obsolete.
  var sizeWarning: String?
  /// Whether the plan holds as long as the files, the recipe and the options stay as they are.
  var isLasting = false
  /// The failure behind `.leave`, where there was one.
  var failure: PhotoFailure?

  public enum Action: Sendable, Hashable {
    /// The photo has no edit yet.
    case render
    /// The recipe's own edit is rendered anew, in its place.
    case resume
    /// Edits are dropped, and the recipe starts afresh.
    case replace
    /// The recipe starts from the image of the newest edit.
    case stack
    /// Nothing is rendered: the photo is up to date, passed over, or refused.
    case leave(Reason)

    /// One word: the action, or the reason for none.
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

  /// A photo that cannot be worked on.
  init(_ path: FilePath, _ failure: PhotoFailure) {
    self.init(path, .leave(failure.reason), failure.detail, hint: failure.hint)
    self.failure = failure
  }

  /// A photo that is gone while its sidecar is there.
  init(missing path: FilePath) {
    self.init(
      path, .leave(.originalMissing), "the photo is gone; its sidecar and renditions were kept",
      hint: "'phbatch relink' finds a photo that was moved; else remove its sidecar and renditions")
    isLasting = true
  }

  /// Whether a run will write anything of this photo.
  public var isDue: Bool { if case .leave = action { adopts } else { true } }

  /// Why nothing is rendered; `rendered` where something is.
  public var reason: Reason { if case .leave(let reason) = action { reason } else { .rendered } }

  /// Whether edits would be dropped that a person made, and nobody allowed that yet.
  public var needsConsent: Bool { failure?.needsConsent ?? false }

  /// The same plan, known to hold as long as its files stay as they are.
  var lasting: PhotoPlan {
    var plan = self
    plan.isLasting = true
    return plan
  }
}

extension PhotoPlan: CustomStringConvertible {
  public var description: String {
    let more = detail.map { ": \($0)" } ?? ""
    return (["\(path.displayed): \(action.word)\(more)"] + stale.map { "  \($0)" })
      .joined(separator: "\n")
  }
}

extension AssetOutcome {
  /// The outcome of a photo that is left as the plan says, or, in a dry run, that would be rendered.
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
