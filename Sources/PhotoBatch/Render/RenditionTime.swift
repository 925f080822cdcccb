import Glibc
import PhotoLibrary
import PhotoRecipes

/// Sets the modification time of the files of an output.
///
/// The sandbox lets a worker write bytes but not set times, so the coordinator sets them before it
/// publishes the file.
enum RenditionTime {
  /// Sets the access and modification times of a staged file.
  ///
  /// Errors are ignored, because some file systems cannot set times. `modified` is the original's
  /// modification time in nanoseconds since 1970; `taken` is the capture date.
  static func set(
    _ wanted: MetadataPolicy.FileTime, of file: OpenFile, taken: String?, modified: Int64
  ) {
    var nanoseconds = modified
    switch wanted {
    case .now: return
    case .original: break
    case .exif:
      if let seconds = taken.flatMap({ CivilTime($0) })?.seconds {
        nanoseconds = Int64(seconds) * 1_000_000_000
      }
    }
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time = timespec(
      tv_sec: Int(rest < 0 ? seconds - 1 : seconds),
      tv_nsec: Int(rest < 0 ? rest + 1_000_000_000 : rest))
    let times = [time, time]
    OpenFile.withDescriptors(of: [file]) { descriptors in
      for descriptor in descriptors { _ = unsafe futimens(descriptor, times) }
    }
  }
}

extension CivilTime {
  /// The date in seconds since 1970, interpreted as UTC because cameras seldom record a time zone.
  ///
  /// - Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
  fileprivate var seconds: Int? {
    guard (1...12).contains(month), (1...31).contains(day), (1...9999).contains(year) else {
      return nil
    }
    // In this computation years start in March, so that a leap day is the last day of a year.
    let year = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = (year / 400, year % 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let days =
      era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    return days * 86_400 + hour * 3600 + minute * 60 + second
  }
}
