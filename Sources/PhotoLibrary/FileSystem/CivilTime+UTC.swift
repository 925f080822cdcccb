import Glibc
public import PhotoRecipes

extension CivilTime {
  /// Converts a time to its calendar date and time of day in UTC.
  ///
  /// - Parameter nanoseconds: Nanoseconds since 1970, UTC, as in `FileIdentity.modified`.
  public init(nanoseconds: Int64) {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var seconds = time_t(rest < 0 ? whole - 1 : whole)
    var parts = unsafe tm()
    // `gmtime_r` fails only if the year does not fit in 32 bits; 64-bit nanoseconds end in 2262.
    _ = unsafe gmtime_r(&seconds, &parts)
    unsafe self.init(
      year: Int(parts.tm_year) + 1_900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
  }
}
