/// How far a graph may depart from the steps as they are written, to be faster.
public enum RenderingMode: String, Choice {
  /// May let a loader reduce the photo, and move point filters past a reduction.
  case balanced
  /// Computes every step at full size, in the order written.
  case exact
}
