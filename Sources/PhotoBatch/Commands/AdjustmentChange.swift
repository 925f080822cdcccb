import Notation
public import PhotoLibrary
public import PhotoRecipes

/// What `adjust` changes in the settings that photos have of their own.
public struct AdjustmentChange: Sendable {
  /// Settings as `step.setting`.
  public var assignments: [Assignment] = []
  /// Settings that go back to what the recipe says.
  public var unset: [String] = []
  /// The stack; nil is the main one.
  public var variant: String?
  /// The recipe whose adjustment is meant; it may not have been run yet.
  public var document: RecipeDocument?
  public var focalPoint: FocalPointChange?

  public enum FocalPointChange: Sendable {
    case set(Sidecar.FocalPoint)
    case remove
  }

  public init() {}

  /// The change in words: `exposure.stops = 0.7`.
  var words: String {
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
