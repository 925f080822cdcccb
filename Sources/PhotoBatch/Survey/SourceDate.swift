import Foundation
import PhotoLibrary
import PhotoRecipes

/// The time for files and reports: that of `SOURCE_DATE_EPOCH` if it is set, so that two runs write
/// the same bytes.
///
/// - Source: reproducible-builds.org/specs/source-date-epoch.
package enum SourceDate {
  /// The fixed time in seconds since 1970, UTC; nil for the clock's time.
  package static let fixed: Int64? = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"]
    .flatMap { Int64($0) }

  /// Seconds since 1970, UTC.
  package static var seconds: Int64 { fixed ?? Int64(Date().timeIntervalSince1970) }

  /// `2026-01-31T10:00:00Z`.
  package static var text: String { "\(CivilTime(nanoseconds: seconds * 1_000_000_000))Z" }
}
