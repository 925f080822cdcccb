/// The EXIF orientation of a photo: the rotation that turns its stored pixels upright.
///
/// - Source: Exif 2.32, tag 0x0112. The raw value is the tag's value; 0, and 9 or more, are treated
///   as upright.
public enum Orientation: Int, Sendable, Hashable, CaseIterable {
  case upright = 1
  case mirrored, upsideDown, mirroredUpsideDown
  case mirroredTurnedLeft, turnedLeft, mirroredTurnedRight, turnedRight

  /// The correction: a horizontal flip if `flip`, then quarter turns clockwise.
  public var correction: (flip: Bool, quarterTurns: Int) {
    switch self {
    case .upright: (false, 0)
    case .mirrored: (true, 0)
    case .upsideDown: (false, 2)
    case .mirroredUpsideDown: (true, 2)
    case .mirroredTurnedLeft: (true, 3)
    case .turnedLeft: (false, 1)
    case .mirroredTurnedRight: (true, 1)
    case .turnedRight: (false, 3)
    }
  }

  public var swapsEdges: Bool { rawValue >= 5 }
}
