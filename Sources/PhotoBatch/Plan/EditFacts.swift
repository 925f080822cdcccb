import PhotoLibrary
import PhotoRecipes

/// What a decision about one photo is made of: the sidecar, the recipe, and what lies on disk.
struct EditFacts: Sendable, Hashable {
  /// The adjustments of the recipe's stack, oldest first.
  var stack: [Entry]
  /// Whether an adjustment that the recipe handles stands in another stack of the photo.
  var isHandledElsewhere = false
  /// The settings digest that the recipe has for this photo.
  var settings: String
  /// The recipe's variant starts from the main stack's current, which is this; nil: the original.
  var mainCurrent: Adjustment.Base?
  /// Whether the recipe keeps a stack of its own.
  var isVariant: Bool
  /// Whether the original's bytes are those recorded.
  var originalIsSame = true
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
    var renditions: Renditions
  }

  /// The state of an adjustment's renditions, the worst of all.
  enum Renditions: Int, Sendable, Hashable, Comparable {
    case present
    case missing
    /// Somebody else's bytes.
    case modified

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  struct Policy: Sendable, Hashable {
    var previous = PreviousPolicy.resume
    var overwritesModified = false
    var acceptsChanged = false
  }
}

/// What becomes of edits that are there already: `--previous`.
public enum PreviousPolicy: String, Sendable, Hashable, CaseIterable {
  /// Goes on from an edit that the recipe handles, stacks on others.
  case resume
  /// Drops the recipe's stack and starts afresh.
  case replace
  /// Stacks even on an edit that the recipe handles.
  case stack
  /// Leaves edited photos alone.
  case skip
  /// Fails edited photos.
  case fail
}

/// What is done to a photo, and from which image.
enum EditDecision: Sendable, Hashable {
  case nothing(Reason, String?)
  case render(from: Adjustment.Base, Effect, note: String?)

  enum Effect: Sendable, Hashable {
    /// A new adjustment on top of the stack.
    case added
    /// A new adjustment in the place of the one at this depth.
    case resumed(at: Int)
    /// A new adjustment in the place of the whole stack.
    case replacedStack
  }
}
