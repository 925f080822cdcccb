public import Notation

/// Makes converging lines parallel, either by a virtual rotation of the camera or by four given
/// points.
///
/// For a rotation, the camera is assumed to have pointed at the photo's centre; the scale at the
/// centre does not change. Four given points become the corners of the photo.
public struct Perspective: Filter {
  public static let name = "perspective"
  public static let summary = "Corrects perspective: makes converging lines parallel."
  public static let category = FilterCategory.geometry
  public static let space = WorkingSpace.none
  public static let settings: [Setting<Self>] = [
    Setting(
      "pitch", \.pitch, .number(.degrees, -30...30), identity: 0,
      "Positive widens the upper part of the photo, negative the lower part."
    ).usually(-15...15),
    Setting(
      "yaw", \.yaw, .number(.degrees, -30...30), identity: 0,
      "Positive widens the left part of the photo, negative the right part."
    ).usually(-15...15),
    Setting(
      "focalLength", \.focalLength, .number(.millimetres, 28...1000),
      "The focal length, for a frame 36 mm wide."
    ).usually(28...200),
    Setting(
      "corners", \.corners, .corners,
      "The positions that become the upper left, upper right, lower right and lower left corner,"
        + " in place of angles."
    ),
    Setting(
      "aspect", \.aspect, .ratio, "The real aspect ratio of the area between the four corners."),
    Setting(
      "keep", \.keep, Warp.Keeping.kind,
      "shape keeps the largest rectangle with the photo's aspect ratio, most the largest with any"
        + " aspect ratio, all keeps the whole photo and fills the rest with a colour. With"
        + " corners, the area between them is kept."
    ),
    Setting("colour", \.colour, .colour, "The colour where there is no photo."),
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
        ? nil : .contradiction("'aspect' of 'perspective' needs 'corners'", remedy: "add them")
    }
    if pitch != 0 || yaw != 0 {
      return .contradiction(
        "'perspective' cannot have both 'corners' and angles",
        remedy: "use two 'perspective' steps, one after the other")
    }
    if !corners.isClockwiseAndConvex {
      return .contradiction(
        "the corners of 'perspective' do not form a convex shape in this order",
        remedy: "list the corners clockwise, beginning at the upper left")
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
