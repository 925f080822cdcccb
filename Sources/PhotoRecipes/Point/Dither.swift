/// Noise before rounding, so that smooth tones show no bands: triangular, up to a level either way,
/// little of it in low frequencies; less within a level of 0 and 1, which stay as they are.
///
/// - Source: S. P. Lipshitz, R. A. Wannamaker, J. Vanderkooy, "Quantization and Dither: A Theoretical
///   Survey", J. Audio Eng. Soc. 40, 1992.
public struct Dither: Sendable, Hashable {
  /// The highest level of the samples to come.
  public var levels: Int
  /// 0…65535.
  public var seed = 0

  public init(levels: Int) { self.levels = levels }
}
