import FoundationEssentials
import Notation

/// The time for files and reports: the time in `SOURCE_DATE_EPOCH` if it is set, so that two runs
/// write the same bytes.
///
/// - Source: reproducible-builds.org/specs/source-date-epoch.
package enum SourceDate {
  /// The last second of the year 9999; later years do not have four digits.
  static let last: Int64 = 253_402_300_799

  /// The fixed time in seconds since 1970, UTC; nil to use the clock.
  package static let fixed: Int64? = try? seconds(in: ProcessInfo.processInfo.environment)

  /// Throws if `SOURCE_DATE_EPOCH` is set to a text that is not a time.
  package static func check() throws(InvalidSourceDate) {
    _ = try seconds(in: ProcessInfo.processInfo.environment)
  }

  static func seconds(in environment: [String: String]) throws(InvalidSourceDate) -> Int64? {
    guard let text = environment["SOURCE_DATE_EPOCH"] else { return nil }
    guard let seconds = Int64(text), (0...last).contains(seconds) else {
      throw InvalidSourceDate(value: text)
    }
    return seconds
  }

  /// The time in seconds since 1970, UTC.
  package static var seconds: Int64 { fixed ?? Int64(Date().timeIntervalSince1970) }

  /// The time as text: `2026-01-31T10:00:00Z`.
  package static var text: String { text(seconds) }

  static func text(_ seconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(seconds)).ISO8601Format()
  }
}

/// The error of a value of `SOURCE_DATE_EPOCH` that is not a time.
public struct InvalidSourceDate: CommandError, Hashable {
  let value: String
  public var code: ExitCode { .usage }
  public var message: String {
    "SOURCE_DATE_EPOCH is '\(value)', not a whole number of seconds from 0 to \(SourceDate.last)"
  }
  public var hint: String { "set it to the seconds since 1970, as 'date +%s' prints them" }
}
