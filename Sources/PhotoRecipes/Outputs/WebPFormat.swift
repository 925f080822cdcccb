/// WebP, lossy or lossless, with alpha.
public struct WebPFormat: OutputFormat {
  public static let name = "webp"
  public static let summary = "WebP, for the web: smaller than JPEG, with alpha."
  public static let fileExtension = "webp"
  public static let longestEdge = 16_383
  public static let hasAlpha = true
  public static let holdsGrey = false
  public static let holdsFrames = true
  public static let settings: [Setting<Self>] = [
    Setting(
      "quality", \.quality, .integer(.quality, 1...100),
      "Higher gives better quality and a larger file."),
    Setting(
      "lossless", \.lossless, .flag,
      "Lossless: keeps every pixel that is not fully transparent; much larger."),
    Setting(
      "nearLossless", \.nearLossless, .flag,
      "With lossless, changes pixels slightly for a smaller file."),
    Setting(
      "effort", \.effort, .integer(.effort, 0...6), "Higher gives a smaller file and is slower."),
    Setting(
      "alphaQuality", \.alphaQuality, .integer(.quality, 1...100),
      "The quality of the alpha channel."),
    Setting(
      "smartSubsample", \.smartSubsample, .flag, "Keeps colour edges sharper; slower."),
    Setting("preset", \.preset, Preset.kind, "The kind of picture, for lossy encoding."),
    Setting("minSize", \.minSize, .flag, "Makes an animation smaller, without key frames; slower."),
    Setting(
      "mixed", \.mixed, .flag,
      "Encodes each frame of an animation lossy or lossless, whichever is smaller."),
    Setting("delay", \.timing.delay, FrameTiming.delays, FrameTiming.delaySummary),
    Setting("loop", \.timing.loop, FrameTiming.loops, FrameTiming.loopSummary),
  ]

  public enum Preset: String, Choice {
    case `default`, picture, photo, drawing, icon, text
  }

  public var quality = 80
  public var lossless = false
  public var nearLossless = false
  public var effort = 4
  public var alphaQuality = 100
  public var smartSubsample = false
  public var preset = Preset.default
  public var minSize = false
  public var mixed = false
  public var timing = FrameTiming()

  public init() {}

  public static var plainest: Self? {
    var format = Self()
    format.lossless = true
    return format
  }

  public var saver: String { "webpsave_target" }

  public var lossyQuality: Int? { lossless || nearLossless ? nil : quality }

  public func with(lossyQuality: Int) -> Self {
    var format = self
    format.quality = lossyQuality
    return format
  }

  public func arguments(bitDepth: Int, size: Size) -> [String: EncoderArgument] {
    [
      "Q": .integer(quality), "lossless": .flag(lossless || nearLossless),
      "near-lossless": .flag(nearLossless), "effort": .integer(effort),
      "alpha-q": .integer(alphaQuality), "smart-subsample": .flag(smartSubsample),
      "preset": .choice(preset.rawValue), "min-size": .flag(minSize), "mixed": .flag(mixed),
    ]
  }
}
