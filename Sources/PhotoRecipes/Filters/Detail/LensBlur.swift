/// Blurs parts that are nearer or farther than the focus, like a lens with a wide aperture.
///
/// Nearness, d, comes from the depth map in the photo's file, or from an image; cameras store the
/// inverse of the distance in the map. The blur of a lens is proportional to the difference of
/// inverse distances, and therefore to the difference of d.
///
/// The standard deviation is `0.03 × |d − focus| ÷ aperture` of the frame's longer edge. Without
/// `focus`, the subject is in focus: its d is the 80th percentile of d in the middle of the map, a
/// rectangle of half the map's width and height. The blur is computed in linear light. Pixels in
/// focus add nothing to blurred pixels beside them. Parts nearer than the focus spread over parts
/// that are farther or blurred less than half as much: their opacity over those parts is twice
/// their own blurred coverage. This coverage is ½ at their edge, so the transition has no step.
/// - Source: J. Jimenez, "Next Generation Post Processing in Call of Duty: Advanced Warfare",
///   SIGGRAPH 2014, for the near field as a layer with a blurred cover.
public struct LensBlur: Filter {
  public static let name = "lensBlur"
  public static let summary = "Blurs areas out of focus, by the photo's depth map."
  public static let category = FilterCategory.detail
  public static let space = WorkingSpace.linear
  public static let revision = 4
  public static let settings: [Setting<Self>] = [
    Setting(
      "aperture", \.aperture, .number(.factor, 0.8...22), "The f-number; smaller blurs more."),
    Setting(
      "focus", \.focus, .number(.fraction, 0...1),
      "The depth that stays sharp: 0 is the farthest of the map, 1 the nearest; if left out, the"
        + " subject in the centre."
    ),
    Setting(
      "depthMap", \.depthMap, .file,
      "A depth image, stretched over the frame, in which brighter is nearer; if left out, the"
        + " depth map in the photo's file."
    ),
    Setting(
      "missing", \.missing, AuxiliaryMap.Missing.kind,
      "What happens to a photo without a depth map: it fails, or the step is skipped."),
  ]

  /// The standard deviation, as a fraction of the longer edge, of the blur of the farthest part at
  /// f/1 if the nearest part is in focus.
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
