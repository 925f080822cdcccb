/// The timing of an animation; a nil value keeps the photo's timing.
public struct FrameTiming: Sendable, Hashable {
  /// The time for which each frame is shown, in milliseconds.
  public var delay: Int?
  /// The number of times that the animation is played; 0 for an endless loop.
  public var loop: Int?

  static let delays = SettingKind.integer(.milliseconds, 10...600_000)
  static let loops = SettingKind.integer(.level, 0...65_535)
  static let delaySummary =
    "How long each frame of an animation is shown; as in the original if left out."
  static let loopSummary =
    "How often an animation is shown; 0 repeats forever. As in the original if left out."
}
