import PhotoLibrary

/// The decision about one photo's stack: a run renders an edit, or skips the photo for a reason.
enum EditDecision: Sendable, Hashable {
  case nothing(Reason, String?)
  case render(Edit)
}

/// The planned change of one stack.
struct Edit: Sendable, Hashable {
  /// The new stack, oldest first; old adjustments without a layer are removed.
  var layers: [Layer]
  /// The image that the first layer starts from.
  var start: Adjustment.Base
  /// True if the recipe takes over its adjustment from another stack of the photo.
  var moves = false

  /// One adjustment of the new stack.
  enum Layer: Sendable, Hashable {
    /// The adjustment at this index of the old stack, unchanged.
    case kept(Int)
    /// The adjustment at this index of the old stack, rendered again from its recorded settings.
    case replayed(Int)
    /// The recipe's adjustment; it replaces the adjustment at this index of the old stack and keeps
    /// the photo's own settings, or is new if the index is nil.
    case recipe(inPlaceOf: Int?)
    /// Another program's edit that the sidecar does not record yet, by its index in `newForeign`.
    case foreign(Int)
    /// Another program's edit at this index of the old stack, recorded again with the current
    /// content of its files.
    case refreshed(Int)
  }
}

extension Edit {
  /// The index of the recipe's own layer; nil if there is none.
  var recipePlace: Int? {
    layers.lastIndex { if case .recipe = $0 { true } else { false } }
  }

  /// Returns the indices in the old stack of the adjustments that the new stack does not contain;
  /// the old stack has `count` adjustments.
  func dropped(of count: Int) -> [Int] {
    let staying = layers.compactMap(\.depth)
    return (0..<count).filter { !staying.contains($0) }
  }
}

extension Edit.Layer {
  /// The index in the old stack of the adjustment that the layer keeps or replaces; nil if the
  /// layer is new.
  var depth: Int? {
    switch self {
    case .kept(let depth), .replayed(let depth), .refreshed(let depth): depth
    case .recipe(let depth): depth
    case .foreign: nil
    }
  }

  var isRendered: Bool {
    switch self {
    case .replayed, .recipe: true
    case .kept, .foreign, .refreshed: false
    }
  }
}
