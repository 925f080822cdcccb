/// Removes or adds the light that haze scatters between the camera and the scene.
///
/// A map holds the haze h, 0…1, as curves of a guide: the luma Y less 0.6 × the excess of red over
/// blue. The gain is `g = 1 / max(1 − strength × h, floor)`.
///
/// To add haze, each colour is mixed with the air's light: `out = air + g (in − air)`.
///
/// To remove haze:
///
/// - The distance of Y from the luma A of the air is multiplied by g. Above A, the result bends so
///   that white stays white.
/// - If the result y is less than half of Y, it becomes `Y / 4 × (1 + (2 y / Y)²)`, with y not
///   below 0, so that no colour becomes black.
/// - The colour changes in proportion to the luma.
/// - The saturation s, `1 − least channel / Y`, becomes `r s / (1 + (r − 1) s)` with `r = 1 +
///   richness × (g − 1)`. The distance of the greatest channel from Y is limited in the same form,
///   so that no channel leaves the range. Hues stay, and greys stay grey.
public struct HazeRemoval: Sendable, Hashable {
  /// The index of the haze map among the images that the point program reads.
  public var map = 0
  public var placement = Placement.whole
  /// The colour of the air's light, display-encoded.
  public var air: ColourMatrix.Vector
  /// The strength: 1 removes all haze, values below 0 add haze.
  public var strength: Double
  /// The minimum fraction of the scene's light that is assumed to pass through the haze.
  public var floor: Double
  /// The fraction of the gain in contrast by which colours become more saturated, 0…1.
  public var richness: Double

  public init(air: ColourMatrix.Vector, strength: Double, floor: Double, richness: Double) {
    self.air = air
    self.strength = strength
    self.floor = floor
    self.richness = richness
  }

  /// True if greys stay grey.
  var keepsGrey: Bool { strength >= 0 || air.isGrey }
}

extension HazeRemoval: CustomStringConvertible {
  public var description: String {
    let light = "(\(air.x.short), \(air.y.short), \(air.z.short))"
    return "\(strength.short) of image \(map) from \(light) down to \(floor.short)\(placement)"
  }
}
