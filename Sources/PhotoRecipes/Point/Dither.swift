/// Noise that is added before rounding, so that smooth tones show no bands.
///
/// The noise is triangular, up to one level in either direction, with little energy in low
/// frequencies. The noise is reduced within one level of 0 and 1; 0 and 1 stay unchanged.
///
/// - Source: S. P. Lipshitz, R. A. Wannamaker, J. Vanderkooy, "Quantization and Dither: A
///   Theoretical Survey", J. Audio Eng. Soc. 40, 1992.
public struct Dither: Sendable, Hashable {
  /// The highest level of the output samples.
  public var levels: Int
  /// The seed of the noise, 0…65535.
  public var seed = 0

  public init(levels: Int) { self.levels = levels }
}
