public import PhotoLibrary
public import PhotoRecipes

/// The change that `adjust` makes to the photos' own settings.
public struct AdjustmentChange: Sendable {
  /// Settings as `step.setting`.
  public var assignments: [Assignment] = []
  /// The settings that go back to the recipe's values.
  public var unset: [String] = []
  /// The stack; nil is the main one.
  public var variant: String?
  /// The recipe whose adjustment is changed; it need not have been run yet.
  public var document: RecipeDocument?
  public var focalPoint: FocalPointChange?

  public enum FocalPointChange: Sendable {
    case set(Sidecar.FocalPoint)
    case remove
  }

  public init() {}

  /// The change as text: `exposure.stops = 0.7`.
  var text: String {
    var parts = assignments.map { "\($0.key) = \($0.value.compactText)" }
    parts += unset.map { "\($0) unset" }
    switch focalPoint {
    case .set(let point): parts.append("focal point \(point.x), \(point.y)")
    case .remove: parts.append("no focal point")
    case nil: break
    }
    return parts.joined(separator: ", ")
  }
}
