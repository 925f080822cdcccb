/// The EXIF orientation of a photo: how its stored pixels must be turned to stand upright.
///
/// - Source: Exif 2.32, tag 0x0112. The raw value is the tag's; 0 and 9 upwards count as upright.
public enum Orientation: Int, Sendable, Hashable, CaseIterable {
  case upright = 1
  case mirrored, upsideDown, mirroredUpsideDown
  case mirroredTurnedLeft, turnedLeft, mirroredTurnedRight, turnedRight

  /// Quarter turns clockwise that follow a horizontal flip, if there is one.
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
