import Foundation

/// How many repetitions a test makes.
public enum TestVolume {
  /// True if `make soak` requests all volumes, with `PHBATCH_SOAK=1`.
  public static let isWhole = ProcessInfo.processInfo.environment["PHBATCH_SOAK"] == "1"

  /// All values in the whole volume; otherwise one of `step` successive values, from the first on.
  public static func one<Value>(of step: Int, _ values: [Value]) -> [Value] {
    isWhole ? values : stride(from: 0, to: values.count, by: step).map { values[$0] }
  }

  /// All combinations in the whole volume; otherwise each value of both lists at least once.
  public static func pairs<First, Second>(
    _ first: [First], _ second: [Second]
  ) -> [(First, Second)] {
    if isWhole { return first.flatMap { one in second.map { (one, $0) } } }
    return (0..<max(first.count, second.count)).map {
      (first[$0 % first.count], second[$0 % second.count])
    }
  }
}
