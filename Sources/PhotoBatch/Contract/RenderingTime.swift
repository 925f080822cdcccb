/// The additional time of large photos and slow encoders.
enum RenderingTime {
  /// The time of every photo, unless an option sets another.
  static let usual = Duration.seconds(120)
  /// The megapixels that are covered by the usual time.
  private static let usualMegapixels = 100.0
  /// The upper bound, because a worker taken over by a hostile photo may ask for any time.
  static let longest = Duration.seconds(6 * 3600)

  /// One second for each megapixel above 100, plus the encoders' time; at most six hours.
  ///
  /// The encoders' time is scaled by `time / usual`, where `time` is that of every photo.
  static func more(
    megapixels: Double, encodingSeconds: Double, besides time: Duration = usual
  ) -> Duration {
    let seconds = max(0, megapixels - usualMegapixels) + max(0, encodingSeconds) * (time / usual)
    // NaN gives no additional time.
    guard seconds > 0 else { return .zero }
    return seconds.isFinite ? min(longest, .seconds(min(seconds, 1e6))) : longest
  }
}
