import FoundationEssentials
import PhotoLibrary
import PhotoRecipes

/// The time for files and reports: the time in `SOURCE_DATE_EPOCH` if it is set, so that two runs
/// write the same bytes.
///
/// - Source: reproducible-builds.org/specs/source-date-epoch.
package enum SourceDate {
  /// The fixed time in seconds since 1970, UTC; nil to use the clock.
  package static let fixed: Int64? = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"]
    .flatMap { Int64($0) }

  /// The time in seconds since 1970, UTC.
  package static var seconds: Int64 { fixed ?? Int64(Date().timeIntervalSince1970) }

  /// The time as text: `2026-01-31T10:00:00Z`.
  package static var text: String { "\(CivilTime(nanoseconds: seconds * 1_000_000_000))Z" }
}
