/// The trade-off between speed and computing each step as it is written.
public enum RenderingMode: String, Choice {
  /// May let a loader reduce the photo, and move point filters past a reduction.
  case balanced
  /// Computes every step at full size, in the order written.
  case exact
}
