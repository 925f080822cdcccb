/// Takes out, or adds, the light that haze puts between the camera and what it sees.
///
/// With haze `h = a Y + b`, 0…1, from a map of a and b and the luma Y,
/// `out = air + (in − air) / max(1 − strength × h, floor)`.
public struct HazeRemoval: Sendable, Hashable {
  /// The image of the program with the bands a and b.
  public var map = 0
  public var placement = Placement.whole
  /// The light of the air, display-encoded.
  public var air: ColourMatrix.Vector
  /// 1 takes all haze out; below 0 there is more of it.
  public var strength: Double
  /// The least part of what is seen that is taken to come through.
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
