/// The version of phbatch, and the version of its rendering.
public enum Engine {
  public static let version = "1.0.0"
  /// The version of rendering.
  ///
  /// The version is incremented if the same settings give different renditions, for any filter.
  public static let revision = 8
}
