import Foundation
import PhotoLibrary
import PhotoRecipes

/// The time as files and reports record it: that of `SOURCE_DATE_EPOCH`, where it is set, so that
/// two runs write the same bytes.
///
/// - Source: reproducible-builds.org/specs/source-date-epoch.
enum SourceDate {
  /// Seconds since 1970, UTC; nil: the clock's.
  static let fixed: Int64? = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"]
    .flatMap { Int64($0) }

  /// Seconds since 1970, UTC.
  static var seconds: Int64 { fixed ?? Int64(Date().timeIntervalSince1970) }

  /// `2026-01-31T10:00:00Z`.
  static var text: String { "\(CivilTime(nanoseconds: seconds * 1_000_000_000))Z" }
}
