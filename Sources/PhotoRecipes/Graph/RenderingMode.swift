/// The choice between a fast rendering and one that computes each step exactly as the recipe states
/// it.
public enum RenderingMode: String, Choice {
  /// Fast: a loader may reduce the photo, and point filters may be computed after a reduction
  /// instead of before.
  case balanced
  /// Computes every step at full size, in the order written.
  case exact
}
