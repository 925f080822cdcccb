/// The time limit of a photo, with additional time for large photos and slow encoders.
enum RenderingTime {
  /// The time limit of every photo, unless an option sets another.
  static let usual = Duration.seconds(120)
  /// The number of megapixels that the usual time limit covers.
  private static let usualMegapixels = 100.0
  /// The maximum additional time; without it, a worker that a hostile photo controls could request
  /// any time.
  static let longest = Duration.seconds(6 * 3600)

  /// The additional time: one second for each megapixel above 100, plus the encoders' time; at most
  /// six hours.
  ///
  /// The encoders' time is scaled by `time / usual`, where `time` is the limit that applies to
  /// every photo.
  static func more(
    megapixels: Double, encodingSeconds: Double, besides time: Duration = usual
  ) -> Duration {
    let seconds = max(0, megapixels - usualMegapixels) + max(0, encodingSeconds) * (time / usual)
    // NaN also gives no additional time.
    guard seconds > 0 else { return .zero }
    return seconds.isFinite ? min(longest, .seconds(min(seconds, 1e6))) : longest
  }
}
