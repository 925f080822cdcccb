/// Bends the tones along curves through given points.
///
/// A monotone cubic joins the points (see `MonotoneSpline`). `rgb` is applied first, then the curve
/// of each channel.
public struct Curves: Filter {
  public static let name = "curves"
  public static let summary = "Bends the tones along curves, for all channels or for each."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting("rgb", \.rgb, .points, identity: .identity, "The curve of all channels."),
    Setting("red", \.red, .points, identity: .identity, "The curve of the red channel."),
    Setting("green", \.green, .points, identity: .identity, "The curve of the green channel."),
    Setting("blue", \.blue, .points, identity: .identity, "The curve of the blue channel."),
  ]

  public var rgb = CurvePoints.identity
  public var red = CurvePoints.identity
  public var green = CurvePoints.identity
  public var blue = CurvePoints.identity

  public init() {}

  public static var example: Self {
    with {
      $0.rgb = CurvePoints(points: [
        .init(x: 0, y: 0), .init(x: 0.25, y: 0.18), .init(x: 0.75, y: 0.84), .init(x: 1, y: 1),
      ])
    }
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    func curves(_ channel: CurvePoints) -> [Curve] {
      [rgb, channel].filter { $0 != .identity }.map { .spline(MonotoneSpline($0.points)) }
    }
    let instruction = PointProgram.Instruction.channels(
      red: curves(red), green: curves(green), blue: curves(blue))
    return graph.append([instruction], in: Self.space, after: input)
  }
}
