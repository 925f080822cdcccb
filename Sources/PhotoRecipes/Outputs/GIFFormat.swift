/// GIF, up to 256 colours, transparent or not, by cgif and libimagequant.
public struct GIFFormat: OutputFormat {
  public static let name = "gif"
  public static let summary = "GIF, up to 256 colours; for drawings and animations."
  public static let fileExtension = "gif"
  public static let longestEdge = 65_535
  public static let hasAlpha = true
  public static let holdsGrey = false
  public static let holdsFrames = true
  public static let holdsProfile = false
  public static let settings: [Setting<Self>] = [
    Setting(
      "colours", \.colours, .integer(.level, 2...256),
      "The maximum number of colours, rounded up to a power of two; one of 256 is transparent."),
    Setting(
      "errorDiffusion", \.errorDiffusion, .number(.strength, 0...1),
      "The strength of dithering, which hides steps between colours; 0 gives a smaller file."),
    Setting(
      "effort", \.effort, .integer(.effort, 1...10), "Higher finds better colours and is slower."),
    Setting(
      "interFrameMaxError", \.interFrameMaxError, .number(.level, 0...32),
      "The maximum difference from the previous frame at which a pixel is not updated."),
    Setting(
      "interPaletteMaxError", \.interPaletteMaxError, .number(.level, 0...256),
      "The maximum error of colours before a frame gets its own palette."),
    Setting("progressive", \.progressive, .flag, "Browsers show a coarse picture first; larger."),
    Setting("delay", \.timing.delay, FrameTiming.delays, FrameTiming.delaySummary),
    Setting("loop", \.timing.loop, FrameTiming.loops, FrameTiming.loopSummary),
  ]

  public var colours = 256
  public var errorDiffusion = 1.0
  public var effort = 7
  public var interFrameMaxError = 0.0
  public var interPaletteMaxError = 3.0
  public var progressive = false
  public var timing = FrameTiming()

  public init() {}

  public static var plainest: Self? { Self() }

  public var hasPalette: Bool { true }

  public var saver: String { "gifsave_target" }

  public func arguments(bitDepth: Int, size: Size) -> [String: EncoderArgument] {
    let bits = (1...8).first { 1 << $0 >= colours } ?? 8
    return [
      "bitdepth": .integer(bits), "dither": .number(errorDiffusion), "effort": .integer(effort),
      "interframe-maxerror": .number(interFrameMaxError),
      "interpalette-maxerror": .number(interPaletteMaxError), "interlace": .flag(progressive),
    ]
  }
}
