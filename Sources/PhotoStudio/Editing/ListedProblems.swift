import PhotoBatch
import SystemPackage

/// The problems of an operation: photos that failed, each with the reason, warnings, or places that
/// cannot be read.
struct ListedProblems: Sendable {
  /// The number of entries that are listed; the others are only counted.
  private static let mostListed = 20

  private let noun: String
  private(set) var count = 0
  private var listed: [String] = []

  /// - Parameter noun: The noun for one entry, in the singular.
  init(of noun: String = "photo") { self.noun = noun }

  /// The listed entries, and a line with the number of the others.
  var lines: [String] {
    let rest = count - listed.count
    if rest == 0 { return listed }
    return listed + ["and \(rest == 1 ? "1 other \(noun)" : "\(rest) other \(noun)s")"]
  }

  var text: String { lines.joined(separator: "\n") }

  mutating func add(_ outcome: AssetOutcome) {
    add("\(outcome.path.string): \(outcome.detail ?? outcome.reason.rawValue)")
  }

  mutating func add(_ line: String) {
    count += 1
    if listed.count < Self.mostListed { listed.append(line) }
  }
}
