/// Blurs what is nearer or farther than what is in focus, as a lens with a wide aperture does.
///
/// How near things are, d, comes from the depth map in the photo's file, or from an image; as cameras
/// store it, it is the inverse of the distance, so that a lens blurs in proportion to the difference.
/// The standard deviation is `0.03 × |d − focus| ÷ aperture` of the frame's longer edge. Without
/// `focus` the subject is sharp: what is nearer than four fifths of the middle of the map, half of it
/// either way. Light is blurred, and what is in focus gives none to what is blurred beside it. What is
/// nearer than the focus spreads over what is not, or is blurred less than half as much: it covers
/// that by twice its own blurred cover, which is half at its edge, so that it goes on from there
/// without a step.
/// - Source: J. Jimenez, "Next Generation Post Processing in Call of Duty: Advanced Warfare",
///   SIGGRAPH 2014, for the near field as a layer with a blurred cover.
public struct LensBlur: Filter {
  public static let name = "lensBlur"
  public static let summary = "Blurs what is not in focus, by the photo's depth map."
  public static let category = FilterCategory.detail
  public static let space = WorkingSpace.linear
  public static let revision = 3
  public static let settings: [Setting<Self>] = [
    Setting(
      "aperture", \.aperture, .number(.factor, 0.8...22), "The f-number; a small one blurs more."),
    Setting(
      "focus", \.focus, .number(.fraction, 0...1),
      "How near what stays sharp is: 0 is the farthest of the map, 1 the nearest. Without it: the"
        + " subject in the middle."),
    Setting(
      "depthMap", \.depthMap, .file,
      "An image, stretched over the frame, that is the brighter the nearer things are; else the depth"
        + " map in the photo's file."),
    Setting(
      "missing", \.missing, AuxiliaryMap.Missing.kind,
      "What becomes of a photo without a depth map: it fails, or nothing is done."),
  ]

  /// Of the longer edge, where the nearest is in focus at f/1, the farthest is blurred by it.
  private static let spread = 0.03

  public var aperture = 4.5
  public var focus: Double?
  public var depthMap: NamedFile?
  public var missing = AuxiliaryMap.Missing.fail

  public init() {}

  public static var example: Self {
    with {
      $0.aperture = 1.4
      $0.depthMap = NamedFile(path: "depth.png", folder: "")
    }
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let source: MapSource =
      if let depthMap {
        .file(depthMap, feather: 0)
      } else {
        .auxiliary(AuxiliaryMap(.depth, .values, absent: missing == .nothing ? focus ?? 1 : nil))
      }
    var arguments: [String: AreaOperation.Argument] = ["sigma": .part(Self.spread / aperture)]
    if let focus { arguments["focus"] = .number(focus) }
    let operation = AreaOperation(.lens, arguments)
    let map = graph.append(.map(source))
    return graph.append(Graph.Node(operation: .area(operation), inputs: [input, map]))
  }
}
