/// A limit of light to white that keeps the hue: a shoulder for the brightest channel of a pixel.
///
/// All channels are multiplied by `s ÷ m`:
///
/// - m: the brightest channel in linear light of the output's space.
/// - s: the limited light. It is m up to the knee k; above it, `k + t ÷ (1 + c t)` with `t = m −
///   k`, at most 1. The slope is 1 at the knee and decreases from there.
/// - c: a constant for which the light `peak` becomes white.
public struct Rolloff: Sendable, Hashable {
  /// The knee and c.
  public let knee: Double
  public let bend: Double
  /// The space whose channels are limited.
  public let gamut: Gamut

  /// The lowest knee in linear light; its display-encoded value is 0.73.
  private static let lowestKnee = 0.5

  /// Creates a shoulder for light up to `peak`, or a plain limit at white if `peak` is 1 or less.
  ///
  /// The knee is as far below white as `peak` is above white, but not lower than `lowestKnee`.
  init(peak: Double, within gamut: Gamut = .sRGB) {
    self.gamut = gamut
    knee = peak > 1 ? max(Self.lowestKnee, 2 - peak) : 1
    bend = peak > 1 ? 1 / (1 - knee) - 1 / (peak - knee) : 0
  }

  /// Applies the shoulder to a display-encoded colour.
  public func callAsFunction(_ colour: ColourMatrix.Vector) -> ColourMatrix.Vector {
    let light = colour.mapped(Curve.decode)
    let most = gamut.fromSRGB(light).max()
    if most <= knee { return colour }
    let above = most - knee
    let limited = min(1, knee + above / (1 + bend * above))
    return (light * (limited / most)).mapped(Curve.encode)
  }
}

extension Rolloff: CustomStringConvertible {
  public var description: String { "from \(knee.short), bend \(bend.short)\(gamut)" }
}
