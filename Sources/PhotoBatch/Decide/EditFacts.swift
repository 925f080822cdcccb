import PhotoLibrary
import PhotoRecipes

/// What a decision about one photo is made of: the sidecar, the recipe, and what lies on disk.
struct EditFacts: Sendable, Hashable {
  /// The adjustments of the recipe's stack, oldest first.
  var stack: [Entry]
  /// Where else an adjustment that the recipe handles stands.
  var elsewhere: Elsewhere?
  /// The settings digest that the recipe has for this photo.
  var settings: String
  /// The recipe's variant starts from the main stack's current, which is this; nil: the original.
  var mainCurrent: Adjustment.Base?
  /// Whether the recipe keeps a stack of its own.
  var isVariant: Bool
  /// Whether a handled adjustment was reverted that had the same settings.
  var isReverted = false
  /// Edits by other programs that lie beside the photo and no entry records as they are, oldest
  /// first.
  var newForeign: [Foreign] = []
  var policy = Policy()

  /// One adjustment as far as the decision looks at it.
  struct Entry: Sendable, Hashable {
    var isHandled: Bool
    var isForeign = false
    var settings: String
    var base: Adjustment.Base
    var hasOverrides = false
    /// The rendition that stands for the stack after this adjustment.
    var current: Adjustment.Base?
    /// The worst state of its renditions; of a foreign entry: the state of its current.
    var renditions: Renditions
    /// The outputs whose renditions are not as they were written, with their states.
    var outputs: [String: Renditions] = [:]
    /// Of a foreign entry: what became of the file that holds the edit.
    var file = ForeignFileState.recorded
    /// Whether the original's bytes are those that it started from.
    var originalIsSame = true
    /// The rendering revision that made it, if that is an older one.
    var olderRevision: Int?
    /// Why it cannot be rendered again from what is recorded; nil if it can.
    var obstacle: Obstacle?
  }

  /// The state of an adjustment's renditions, the worst of all.
  enum Renditions: Int, Sendable, Hashable, Comparable {
    case present
    case missing
    /// Somebody else's bytes.
    case modified

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// What became of the file of another program's edit since it was recorded.
  enum ForeignFileState: Sendable, Hashable {
    case recorded
    /// It, or the image beside it, has other bytes: it is found anew.
    case changed
    case gone
  }

  /// What keeps a recorded edit from being rendered again.
  struct Obstacle: Sendable, Hashable {
    var reason: Reason
    var detail: String
  }

  /// An edit by another program.
  struct Foreign: Sendable, Hashable {
    /// The image that shows it, if there is one.
    var current: Adjustment.Base?
    /// The name of the file that holds it.
    var file = ""
  }

  /// A handled adjustment in another stack of the photo.
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
