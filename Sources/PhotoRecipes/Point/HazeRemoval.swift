/// Removes or adds the light that haze scatters between the camera and the scene.
///
/// With haze `h = a Y + b`, 0…1, from a map of a and b and the luma Y,
/// `out = air + (in − air) / max(1 − strength × h, floor)`.
public struct HazeRemoval: Sendable, Hashable {
  /// The index, among the images that the point program reads, of the map with the bands a and b.
  public var map = 0
  public var placement = Placement.whole
  /// The colour of the air's light, display-encoded.
  public var air: ColourMatrix.Vector
  /// The strength: 1 removes all haze, values below 0 add haze.
  public var strength: Double
  /// The minimum fraction of the scene's light that is assumed to pass through the haze.
  public var floor: Double

  public init(air: ColourMatrix.Vector, strength: Double, floor: Double) {
    self.air = air
    self.strength = strength
    self.floor = floor
  }
}

extension HazeRemoval: CustomStringConvertible {
  public var description: String {
    let light = "(\(air.x.short), \(air.y.short), \(air.z.short))"
    return "\(strength.short) of image \(map) from \(light) down to \(floor.short)\(placement)"
  }
}
