import PhotoLibrary

/// The decision about a photo.
enum EditDecision: Sendable, Hashable {
  case nothing(Reason, String?)
  case render(Edit)
}

/// The planned change of one stack.
struct Edit: Sendable, Hashable {
  /// The new stack, oldest first; adjustments that are not in it are dropped.
  var layers: [Layer]
  /// The image that the first layer starts from.
  var start: Adjustment.Base
  /// True if this stack takes over an adjustment from another stack, because the recipe may resume
  /// it.
  var moves = false

  /// One adjustment of the new stack.
  enum Layer: Sendable, Hashable {
    /// The adjustment at this depth, unchanged.
    case kept(Int)
    /// The adjustment at this depth, rendered from its recorded settings.
    case replayed(Int)
    /// The recipe's adjustment, with the photo's own settings of the adjustment that it replaces.
    case recipe(inPlaceOf: Int?)
    /// An edit by another program that is not recorded yet, by its index in `newForeign`.
    case foreign(Int)
    /// The edit by another program at this depth, recorded again with the current content of its
    /// files.
    case refreshed(Int)
  }
}

extension Edit {
  /// The depths of the adjustments that are not in the new stack; the old stack has `count`
  /// adjustments.
  func dropped(of count: Int) -> [Int] {
    let staying = layers.compactMap(\.depth)
    return (0..<count).filter { !staying.contains($0) }
  }
}

extension Edit.Layer {
  /// The depth in the old stack of the layer's adjustment, or of the adjustment that it replaces;
  /// nil if the layer is new.
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
