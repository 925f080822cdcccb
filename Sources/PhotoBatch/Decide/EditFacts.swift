import Notation
import PhotoLibrary
import PhotoRecipes

/// The facts on which the decision about one photo is based, from its sidecar, the recipe and the
/// files on disk.
struct EditFacts: Sendable, Hashable {
  /// The adjustments of the recipe's stack, oldest first.
  var stack: [Entry]
  /// The place of the recipe's adjustment in another stack of the photo; nil if there is none.
  var elsewhere: Elsewhere?
  /// The digest of the recipe's settings, including the photo's own settings.
  var settings: String
  /// The current image of the main stack, if the recipe's variant starts from it; nil for the
  /// original.
  var mainCurrent: Adjustment.Base?
  /// True if the recipe edits the stack of a variant, not the main stack.
  var isVariant: Bool
  /// True if the user reverted an adjustment of this recipe that had the same settings.
  var isReverted = false
  /// Other programs' edits beside the photo, oldest first, that the stack does not record in their
  /// current state.
  var newForeign: [Foreign] = []
  var policy = Policy()

  /// The facts of one adjustment that matter for the decision.
  struct Entry: Sendable, Hashable {
    var isHandled: Bool
    var isForeign = false
    var settings: String
    var base: Adjustment.Base
    var hasOverrides = false
    /// True if no run has rendered the adjustment with the photo's present own settings.
    var isPending = false
    /// The rendition that the next adjustment starts from.
    var current: Adjustment.Base?
    /// The worst state of the adjustment's renditions; for another program's edit, the state of its
    /// image.
    var renditions: Renditions
    /// The states of the renditions that are not `present`, by the names of their outputs.
    var outputs: [String: Renditions] = [:]
    /// The state of the file that contains another program's edit.
    var file = ForeignFileState.recorded
    /// The name of the file that contains another program's edit; empty otherwise.
    var foreignName = ""
    /// True if the original has the bytes from which this adjustment was rendered.
    var originalIsSame = true
    /// The rendering revision that made the adjustment if it is older than the current one; nil
    /// otherwise.
    var olderRevision: Int?
    /// The reason why the adjustment cannot be rendered again from its record; nil if it can.
    var obstacle: Obstacle?
  }

  /// The state of a rendition, or the worst state of all renditions of an adjustment.
  enum Renditions: Int, Sendable, Hashable, Comparable {
    case present
    /// The file has other bytes than those recorded, but phbatch wrote them.
    case superseded
    case missing
    /// The file has bytes that phbatch did not write.
    case modified

    /// True if a run may render the files again without losing anything that a user made.
    var isRenewable: Bool { self == .missing || self == .superseded }

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// The reason why a recorded edit cannot be rendered again.
  struct Obstacle: Sendable, Hashable {
    var reason: Reason
    var detail: String
  }

  /// An edit by another program.
  struct Foreign: Sendable, Hashable {
    /// The image that shows the result of the edit; nil if there is none.
    var current: Adjustment.Base?
    /// The name of the file that contains the edit.
    var file = ""
  }

  /// The place of the recipe's adjustment in another stack of the photo.
  enum Elsewhere: Sendable, Hashable {
    case newest
    case belowOthers
  }

  struct Policy: Sendable, Hashable {
    var previous = PreviousPolicy.resume
    var foreign = ForeignPolicy.report
    var overwritesModified = false
    var acceptsChanged = false
    var redoes = false
    var refreshes = false
  }
}

extension EditFacts.Renditions {
  /// The reason why a rendition in this state must be rendered again; nil if it is present.
  var reason: Staleness? {
    switch self {
    case .present: nil
    case .superseded: .superseded
    case .missing: .missing
    case .modified: .modified
    }
  }
}

extension Adjustment {
  /// The rendering revision that made the adjustment if it is older than the current one; nil
  /// otherwise, for other programs' edits, and for edits that no run has rendered.
  var olderRevision: Int? {
    if isForeign || settings.isEmpty { return nil }
    let revision = engine["revision"]?.integer ?? 0
    return revision < Engine.revision ? revision : nil
  }
}
