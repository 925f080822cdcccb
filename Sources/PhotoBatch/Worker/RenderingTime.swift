/// The time that a photo is given besides that of every photo.
enum RenderingTime {
  /// Megapixels that all photos may have in the usual time.
  private static let usualMegapixels = 100.0
  /// A worker that a hostile photo has taken over may ask for any time.
  static let longest = Duration.seconds(6 * 3600)

  /// A second for each megapixel above 100, and what the outputs' encoders may take, of both together
  /// at most six hours.
  static func more(megapixels: Double, encodingSeconds: Double) -> Duration {
    let seconds = max(0, megapixels - usualMegapixels) + max(0, encodingSeconds)
    // What is no number asks for nothing.
    guard seconds > 0 else { return .zero }
    return seconds.isFinite ? min(longest, .seconds(min(seconds, 1e6))) : longest
  }
}
