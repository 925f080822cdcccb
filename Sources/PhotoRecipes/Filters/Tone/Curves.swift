/// Changes the tones along curves through given points.
///
/// A monotone cubic joins the points (see `MonotoneSpline`). Points may be above white, because an
/// earlier step can leave values there and a later step can bring them back. `rgb` is applied
/// first, to the greatest and the least channel; the middle channel keeps its relative place
/// between them, so that hues stay. The curve of each channel follows, then the lightness curve:
/// OKLab's L becomes `f(L)`, and a and b are multiplied by `f(L) / L`, at most by 4, which keeps hue
/// and saturation. L is clamped to 0…1 for this; values outside move by the same amount as 0 or 1.
/// Vivid colours are brightened less, and colours that would still leave sRGB keep their hue and
/// become paler (see `OKLab.held`).
public struct Curves: Filter {
  public static let name = "curves"
  public static let summary = "Changes the tones by curves, for all channels together or for each."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let revision = 4
  public static let settings: [Setting<Self>] = [
    Setting(
      "rgb", \.rgb, .points(upTo: 2), identity: .identity,
      "The curve for all channels, which keeps hues."),
    Setting("red", \.red, .points(upTo: 2), identity: .identity, "The curve of the red channel."),
    Setting(
      "green", \.green, .points(upTo: 2), identity: .identity, "The curve of the green channel."),
    Setting(
      "blue", \.blue, .points(upTo: 2), identity: .identity, "The curve of the blue channel."),
    Setting(
      "lightness", \.lightness, .points(upTo: 1), identity: .identity,
      "The curve for lightness, which keeps hue and saturation."),
  ]

  public var rgb = CurvePoints.identity
  public var red = CurvePoints.identity
  public var green = CurvePoints.identity
  public var blue = CurvePoints.identity
  public var lightness = CurvePoints.identity

  public init() {}

  public static var example: Self {
    with {
      $0.rgb = CurvePoints(points: [
        .init(x: 0, y: 0), .init(x: 0.25, y: 0.18), .init(x: 0.75, y: 0.84), .init(x: 1, y: 1),
      ])
    }
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    func curves(_ points: CurvePoints) -> [Curve] {
      points == .identity ? [] : [.spline(MonotoneSpline(points.points))]
    }
    let channels = [red, green, blue].map(curves)
    var node = input
    if rgb != .identity { node = graph.append([.tone(curves(rgb))], in: Self.space, after: node) }
    if channels.contains(where: { !$0.isEmpty }) {
      let instruction = PointProgram.Instruction.channels(
        red: channels[0], green: channels[1], blue: channels[2])
      node = graph.append([instruction], in: Self.space, after: node)
    }
    if lightness == .identity { return node }
    return graph.append([.save, .colour(.grade(grade)), .hold], in: .oklab, after: node)
  }

  /// The maximum factor by which OKLab's a and b are multiplied.
  private static let mostGain = 4.0

  private var grade: Grade {
    let curve = MonotoneSpline(lightness.points)
    return Grade(weights: OKLab.lightness, count: Self.count(for: curve)) { lightness in
      let wanted = curve(lightness)
      let gain = lightness > 0 ? min(Self.mostGain, wanted / lightness) : Self.mostGain
      return Grade.Sample(
        gain: .init(1, gain, gain), offset: .init(wanted - lightness, 0, 0))
    }
  }

  /// The number of lightness steps, chosen so that a step ends where the gain of a and b reaches
  /// its maximum.
  ///
  /// The gain as a function of lightness has a bend there. If the bend were between two samples,
  /// vivid colours would be wrong by 30 of 65,535.
  private static func count(for curve: MonotoneSpline) -> Int {
    func excess(_ lightness: Double) -> Double { curve(lightness) - mostGain * lightness }
    let steps = 4096
    let bends = (0..<steps).compactMap { step -> Double? in
      var (low, high) = (Double(step) / Double(steps), Double(step + 1) / Double(steps))
      guard excess(low) * excess(high) < 0 else { return nil }
      for _ in 0..<50 {
        let middle = (low + high) / 2
        if excess(low) * excess(middle) > 0 { low = middle } else { high = middle }
      }
      return low
    }
    func miss(_ count: Int) -> Double {
      bends.map { abs(($0 * Double(count)).rounded() - $0 * Double(count)) }.max() ?? 0
    }
    return bends.isEmpty ? 2 * steps : (2 * steps...3 * steps).min { miss($0) < miss($1) } ?? steps
  }
}
