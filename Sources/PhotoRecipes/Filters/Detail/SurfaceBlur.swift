/// Smooths surfaces and keeps their edges, by an edge-aware guided filter.
///
/// In each square, contrasts well below `threshold` (a standard deviation of display-encoded
/// values) vanish, and contrasts well above it stay: the fraction kept is `v² / (v² + 1)`, with the
/// variance v in units of threshold². Pixels are weighted by alpha, and alpha does not change.
/// - Source: K. He, J. Sun, X. Tang, "Guided Image Filtering", IEEE TPAMI 35 (2013); Z. Li et al.,
///   "Weighted Guided Image Filtering", IEEE TIP 24 (2015), for weights by the variance.
public struct SurfaceBlur: Filter {
  public static let name = "surfaceBlur"
  public static let summary = "Smooths surfaces and keeps their edges."
  public static let category = FilterCategory.detail
  public static let space = WorkingSpace.encoded
  public static let revision = 3
  public static let settings: [Setting<Self>] = [
    Setting(
      "radius", \.radius, .integer(.pixels, 1...50),
      "Half of the side of the square over which pixels are smoothed."),
    Setting(
      "threshold", \.threshold, .number(.fraction, 0.001...1),
      "The contrast of which half is kept; stronger contrast is kept more. 1 is black to white."),
  ]

  public var radius = 5
  public var threshold = 0.05

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let operation = AreaOperation(
      .surface, ["radius": .integer(radius), "threshold": .number(threshold)])
    return graph.append(.area(operation), input)
  }
}
