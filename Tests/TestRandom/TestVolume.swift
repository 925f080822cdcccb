import Foundation

/// How many repetitions a test makes.
public enum TestVolume {
  /// True if `make soak` requests all volumes, with `PHBATCH_SOAK=1`.
  public static let isWhole = ProcessInfo.processInfo.environment["PHBATCH_SOAK"] == "1"
}
