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

  /// The change from the picture that is upright by this orientation to the picture that is upright
  /// by `other`: a horizontal flip if `flip`, then quarter turns clockwise, 0…3.
  public func turn(to other: Orientation) -> (flip: Bool, quarterTurns: Int) {
    let (before, after) = (correction, other.correction)
    // The inverse of a flip and turns is the same flip and turns; that of turns are turns back.
    let back = before.flip ? before.quarterTurns : -before.quarterTurns
    let turns = after.quarterTurns + (after.flip ? -back : back)
    return (before.flip != after.flip, (turns % 4 + 4) % 4)
  }

  public var swapsEdges: Bool { rawValue >= 5 }
}
