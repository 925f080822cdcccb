import Glibc
public import PhotoRecipes

extension CivilTime {
  /// The time in UTC.
  ///
  /// - Parameter nanoseconds: Since 1970, UTC, as in `FileIdentity.modified`.
  public init(nanoseconds: Int64) {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var seconds = time_t(rest < 0 ? whole - 1 : whole)
    var parts = unsafe tm()
    // Fails only for years that do not fit in 32 bits, and 64 bits of nanoseconds end in 2262.
    _ = unsafe gmtime_r(&seconds, &parts)
    unsafe self.init(
      year: Int(parts.tm_year) + 1_900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
  }
}
