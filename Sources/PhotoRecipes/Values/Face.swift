/// A face in a frame.
///
/// Positions and lengths are fractions of the frame, from the left and from the top. The face is a
/// parallelogram around `centre`, because a frame may be turned or distorted: upright, a rectangle
/// from the brows to the chin. A position on the face has the coordinates u and v: −1 at its left
/// and upper edge, 1 at its right and lower edge.
public struct Face: Sendable, Hashable {
  public var centre: Placement.Point
  /// The vector from the centre to the middle of the right edge.
  public var right: Placement.Point
  /// The vector from the centre to the middle of the lower edge.
  public var down: Placement.Point

  public init(centre: Placement.Point, right: Placement.Point, down: Placement.Point) {
    self.centre = centre
    self.right = right
    self.down = down
  }

  /// Creates an upright face from its rectangle.
  public init(left: Double, top: Double, width: Double, height: Double) {
    self.init(
      centre: .init(left + width / 2, top + height / 2), right: .init(width / 2, 0),
      down: .init(0, height / 2))
  }

  /// The area of the face, as a fraction of the frame.
  public var area: Double { 4 * abs(right.x * down.y - right.y * down.x) }

  /// The same face after `map`, which maps positions 0…1 of its frame to positions 0…1 of another;
  /// nil if it has no area there.
  public func seen(through map: Homography) -> Face? {
    let moved = map(centre)
    let face = Face(
      centre: moved, right: map(centre + right) - moved, down: map(centre + down) - moved)
    return face.area > 0 && face.area.isFinite ? face : nil
  }

  /// The same face after `map`; nil if its centre is outside the frame then.
  public func moved(by map: Homography) -> Face? {
    seen(through: map).flatMap { face in
      (0...1).contains(face.centre.x) && (0...1).contains(face.centre.y) ? face : nil
    }
  }

  /// The smallest upright rectangle around the face, as an upright face.
  public var upright: Face {
    let (x, y) = bounds()
    return Face(
      left: x.lowerBound, top: y.lowerBound, width: x.upperBound - x.lowerBound,
      height: y.upperBound - y.lowerBound)
  }

  /// The smallest upright rectangle around the part of the face with |u| up to `width` and with v
  /// in `height`.
  public func bounds(
    width: Double = 1, height: ClosedRange<Double> = -1...1
  ) -> (
    x: ClosedRange<Double>, y: ClosedRange<Double>
  ) {
    let middle = centre + (height.lowerBound + height.upperBound) / 2 * down
    let (across, along) = (width * right, (height.upperBound - height.lowerBound) / 2 * down)
    let reach = Placement.Point(
      abs(across.x) + abs(along.x), abs(across.y) + abs(along.y))
    return (
      (middle.x - reach.x)...(middle.x + reach.x), (middle.y - reach.y)...(middle.y + reach.y)
    )
  }

  /// True if the centre of one of the faces is inside the other.
  public func overlaps(_ other: Face) -> Bool {
    contains(other.centre) || other.contains(centre)
  }

  private func contains(_ point: Placement.Point) -> Bool {
    let place = place(of: point)
    return abs(place.x) <= 1 && abs(place.y) <= 1
  }

  /// The coordinates u and v of a position in the frame.
  func place(of point: Placement.Point) -> Placement.Point {
    let way = point - centre
    let size = right.x * down.y - right.y * down.x
    return Placement.Point(
      (way.x * down.y - way.y * down.x) / size, (right.x * way.y - right.y * way.x) / size)
  }
}

/// An ellipse on a face, in the coordinates u and v of the face.
struct FaceEllipse: Sendable, Hashable {
  var centre: Placement.Point
  var radii: Placement.Point

  /// The eyes, each with its lids and its corners.
  static let eyes = [-1.0, 1].map {
    FaceEllipse(centre: .init(0.43 * $0, -0.38), radii: .init(0.34, 0.26))
  }
  static let mouth = FaceEllipse(centre: .init(0, 0.56), radii: .init(0.48, 0.26))
  /// The skin from the forehead to the chin.
  static let oval = FaceEllipse(centre: .init(0, -0.04), radii: .init(0.98, 1.24))
  /// The head, with hair and ears.
  static let head = FaceEllipse(centre: .init(0, -0.25), radii: .init(1.4, 1.7))

  /// The coverage of a position, 1 inside and 0 outside; the edge is a smoothstep over the outer
  /// fraction `feather` of the radius.
  func level(at place: Placement.Point, feather: Double) -> Double {
    let way = (place - centre) / radii
    return ((1 - (way * way).sum().squareRoot()) / feather).smoothstep
  }
}
