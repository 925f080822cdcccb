import PhotoBatch
import SystemPackage

/// The photos for which an operation failed, each with the reason.
struct Failures: Sendable {
  /// The number of photos that are listed; the others are only counted.
  private static let mostListed = 20

  private(set) var count = 0
  private(set) var lines: [String] = []

  /// The listed lines, and the number of the others.
  var text: String {
    let rest = count - lines.count
    let others = rest == 1 ? "1 other photo" : "\(rest) other photos"
    return (lines + (rest > 0 ? ["and \(others)"] : [])).joined(separator: "\n")
  }

  mutating func add(_ outcome: AssetOutcome) {
    add("\(outcome.path.string): \(outcome.detail ?? outcome.reason.rawValue)")
  }

  mutating func add(_ line: String) {
    count += 1
    if lines.count < Self.mostListed { lines.append(line) }
  }
}
