public import Notation

/// Blurs the photo by a Gaussian, by the mean of a square, along a line, or towards a point.
///
/// A zoom blur is the mean along a line through each pixel. The line points at (x, y). Its length
/// is proportional to the distance between the pixel and that point, and is twice `radius` in the
/// farthest corner.
public struct Blur: Filter {
  public enum Kind: String, Choice {
    case gaussian, box, motion, zoom
  }

  public static let name = "blur"
  public static let summary = "Blurs the photo."
  public static let category = FilterCategory.detail
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "kind", \.kind, Kind.kind,
      "gaussian is soft, box is the mean of a square, motion imitates a moving camera, zoom a"
        + " zooming lens."
    ),
    Setting(
      "radius", \.radius, .extent(radii), identity: .pixels(0),
      "The Gaussian's standard deviation, half of the box's side, half of the camera's movement,"
        + " or half of the zoom's movement in the corner farthest from its centre; below 0.3"
        + " there is no effect. At most 125 for motion and zoom."
    ).usually(0...40),
    Setting(
      "angle", \.angle, .number(.degrees, -180...180),
      "The direction of the camera's movement, counterclockwise from the horizontal."),
    Setting(
      "x", \.x, .number(.fraction, 0...1), "The centre of a zoom, as a fraction from the left."),
    Setting(
      "y", \.y, .number(.fraction, 0...1), "The centre of a zoom, as a fraction from the top."),
  ]

  private static let radii = 0.0...250

  public var kind = Kind.gaussian
  public var radius = Extent.pixels(0)
  public var angle = 0.0
  public var x = 0.5
  public var y = 0.5

  public init() {}

  public static var example: Self { with { $0.radius = .pixels(6) } }

  public var contradiction: Problem? {
    guard [.motion, .zoom].contains(kind), case .pixels(let pixels) = radius, pixels > 125 else {
      return nil
    }
    return .contradiction(
      "the radius of a \(kind.rawValue) blur is at most 125 pixels", remedy: "use a smaller radius")
  }

  public var isIdentity: Bool { radius.isBelow(0.3) }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let movement = radius.argument(times: 2, in: Self.radii)
    let operation =
      switch kind {
      case .gaussian: AreaOperation(.blur, ["sigma": radius.argument(in: Self.radii)])
      case .box:
        AreaOperation(.blur, ["sigma": radius.argument(in: Self.radii), "box": .flag(true)])
      case .motion:
        AreaOperation(.motion, ["length": movement, "angle": .number(angle)])
      case .zoom:
        AreaOperation(
          .zoom, ["length": movement, "x": .number(x), "y": .number(y)])
      }
    return graph.append(.area(operation), input)
  }
}
