/// How an animation runs, where the output says it; else as the photo does.
public struct FrameTiming: Sendable, Hashable {
  /// How long each frame is shown, in milliseconds.
  public var delay: Int?
  /// How often all of it is shown; 0 is for ever.
  public var loop: Int?

  static let delays = SettingKind.integer(.milliseconds, 10...600_000)
  static let loops = SettingKind.integer(.level, 0...65_535)
  static let delaySummary = "How long a frame of an animation is shown; left out: as it was."
  static let loopSummary = "How often an animation runs, 0 for ever; left out: as it did."
}
