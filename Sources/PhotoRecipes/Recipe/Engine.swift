/// The version of phbatch, and of what it makes of the same settings.
public enum Engine {
  public static let version = "0.1.0"
  /// Raised when renditions of the same settings look different, whatever the filter.
  public static let revision = 1
}
