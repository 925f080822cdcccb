/// The time that a photo is given besides that of every photo.
enum RenderingTime {
  /// That of every photo, unless a user says otherwise.
  static let usual = Duration.seconds(120)
  /// Megapixels that all photos may have in the usual time.
  private static let usualMegapixels = 100.0
  /// A worker that a hostile photo has taken over may ask for any time.
  static let longest = Duration.seconds(6 * 3600)

  /// A second for each megapixel above 100, and what the outputs' encoders may take; at most six hours.
  ///
  /// Encoders get theirs in proportion where `time`, which every photo has, is not the usual.
  static func more(
    megapixels: Double, encodingSeconds: Double, besides time: Duration = usual
  ) -> Duration {
    let seconds = max(0, megapixels - usualMegapixels) + max(0, encodingSeconds) * (time / usual)
    // What is no number asks for nothing.
    guard seconds > 0 else { return .zero }
    return seconds.isFinite ? min(longest, .seconds(min(seconds, 1e6))) : longest
  }
}
