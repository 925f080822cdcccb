/// The timing of an animation; a nil value keeps the photo's timing.
public struct FrameTiming: Sendable, Hashable {
  /// The time for which each frame is shown, in milliseconds.
  public var delay: Int?
  /// The number of times that the animation is played; 0 for an endless loop.
  public var loop: Int?

  static let delays = SettingKind.integer(.milliseconds, 10...600_000)
  static let loops = SettingKind.integer(.level, 0...65_535)
  static let delaySummary = "How long a frame of an animation is shown; left out: as it was."
  static let loopSummary = "How often an animation runs, 0 for ever; left out: as it did."
}
