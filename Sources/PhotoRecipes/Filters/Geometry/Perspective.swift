public import Notation

/// Makes converging lines parallel, by rotating the camera virtually or by four points.
///
/// A rotation shows the view of a camera with its lens at the photo's centre; the scale at the
/// centre stays. Four points become the corners of the photo.
public struct Perspective: Filter {
  public static let name = "perspective"
  public static let summary = "Makes lines parallel that run together."
  public static let category = FilterCategory.geometry
  public static let space = WorkingSpace.none
  public static let settings: [Setting<Self>] = [
    Setting(
      "pitch", \.pitch, .number(.degrees, -30...30), identity: 0,
      "Widens the upper part of the photo; negative: the lower."),
    Setting(
      "yaw", \.yaw, .number(.degrees, -30...30), identity: 0,
      "Widens the left part of the photo; negative: the right."),
    Setting(
      "focalLength", \.focalLength, .number(.millimetres, 28...1000),
      "The lens, as on a frame 36 mm wide."),
    Setting(
      "corners", \.corners, .corners,
      "Instead: the places that become the upper left, upper right, lower right, lower left corner."
    ),
    Setting("aspect", \.aspect, .ratio, "The shape that the four corners have in truth."),
    Setting(
      "keep", \.keep, Warp.Keeping.kind,
      "shape keeps the largest rectangle of the photo's shape, most the largest of any,"
        + " all the whole photo on a colour; with corners, all there is between them is kept."),
    Setting("colour", \.colour, .colour, "What shows where there is no photo."),
  ]

  public var pitch = 0.0
  public var yaw = 0.0
  public var focalLength = 28.0
  public var corners: Outline?
  public var aspect: Ratio?
  public var keep = Warp.Keeping.shape
  public var colour = Colour.white

  public init() {}

  public var isIdentity: Bool { pitch == 0 && yaw == 0 && corners == nil }

  public var contradiction: Problem? {
    guard let corners else {
      return aspect == nil
        ? nil : .contradiction("'perspective' has 'aspect' without 'corners'", remedy: "add them")
    }
    if pitch != 0 || yaw != 0 {
      return .contradiction(
        "'perspective' has both 'corners' and angles", remedy: "use two, one after the other")
    }
    if !corners.isClockwiseAndConvex {
      return .contradiction(
        "the corners of 'perspective' are no convex shape in this order",
        remedy: "begin at the upper left and go clockwise")
    }
    return nil
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let change =
      corners.map { Warp.Change.corners($0.points, aspect: aspect) }
      ?? .tilt(pitch: pitch, yaw: yaw, focalLength: focalLength)
    var warp = Warp(change)
    warp.keeping = corners == nil ? keep : .all
    warp.colour = colour
    return graph.append(.warp(warp), input)
  }
}

extension Outline {
  /// True if the outline turns right at every corner, and the cross product of the two edges there
  /// exceeds a thousandth of the frame's area.
  fileprivate var isClockwiseAndConvex: Bool {
    points.indices.allSatisfy { i in
      let (a, b, c) = (points[i], points[(i + 1) % points.count], points[(i + 2) % points.count])
      return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) > 1e-3
    }
  }
}
