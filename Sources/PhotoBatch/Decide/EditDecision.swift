import PhotoLibrary

/// What is done to a photo.
enum EditDecision: Sendable, Hashable {
  case nothing(Reason, String?)
  case render(Edit)
}

/// What becomes of one stack.
struct Edit: Sendable, Hashable {
  /// The new stack, oldest first; what is not in it is dropped.
  var layers: [Layer]
  /// What the first layer starts from.
  var start: Adjustment.Base
  /// Whether a handled adjustment leaves another stack for this one.
  var moves = false

  /// One adjustment of the new stack.
  enum Layer: Sendable, Hashable {
    /// The adjustment at this depth, as it is.
    case kept(Int)
    /// The adjustment at this depth, rendered from its recorded settings.
    case replayed(Int)
    /// The recipe's, with the photo's own settings of the adjustment that it takes the place of.
    case recipe(inPlaceOf: Int?)
    /// Another program's, which was not recorded yet; by its place among those found.
    case foreign(Int)
    /// Another program's at this depth, with the bytes that its files have today.
    case refreshed(Int)
  }
}

extension Edit {
  /// The depths, of so many, of the adjustments that are not in the new stack.
  func dropped(of count: Int) -> [Int] {
    let staying = layers.compactMap(\.depth)
    return (0..<count).filter { !staying.contains($0) }
  }
}

extension Edit.Layer {
  /// The place in the old stack of the adjustment that it is, or takes the place of.
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
