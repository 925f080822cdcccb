public import Notation

/// Keeps a rectangle of the photo, given by its edges or by its aspect ratio.
public struct CropFilter: Filter {
  public static let name = "crop"
  public static let summary = "Keeps a rectangle of the photo."
  public static let category = FilterCategory.geometry
  public static let space = WorkingSpace.none
  public static let settings: [Setting<Self>] = [
    Setting("left", \.left, .length, "Distance from the left edge."),
    Setting("top", \.top, .length, "Distance from the top edge."),
    Setting("right", \.right, .length, "Distance from the right edge."),
    Setting("bottom", \.bottom, .length, "Distance from the bottom edge."),
    Setting(
      "width", \.width, .length, "The width that is kept; the whole remaining width if left out."),
    Setting(
      "height", \.height, .length,
      "The height that is kept; the whole remaining height if left out."),
    Setting(
      "aspect", \.aspect, .ratio,
      "Keeps the largest rectangle with this aspect ratio, in place of the edges."),
    Setting(
      "gravity", \.gravity, Gravity.kind,
      "The position of the rectangle if no edge determines it."),
    Setting(
      "dpi", \.dpi, .number(.dpi, 1...9600),
      "Pixels per inch, for lengths on paper such as \"3cm\"."
    ).usually(72...600),
  ]

  public var left: Length?
  public var top: Length?
  public var right: Length?
  public var bottom: Length?
  public var width: Length?
  public var height: Length?
  public var aspect: Ratio?
  public var gravity = Gravity.center
  public var dpi = 300.0

  public init() {}

  public static var example: Self { with { $0.aspect = Ratio(width: 1, height: 1) } }

  public var contradiction: Problem? {
    if hasEdges && aspect != nil {
      return .contradiction(
        "'crop' has both 'aspect' and edges", remedy: "use two 'crop' steps, one after the other")
    }
    for (names, lengths) in [
      ("'left', 'right' and 'width'", [left, right, width]),
      ("'top', 'bottom' and 'height'", [top, bottom, height]),
    ] where !lengths.contains(nil) {
      return .contradiction("'crop' has \(names)", remedy: "remove one of them")
    }
    if [width, height].contains(where: { $0 == .pixels(0) || $0 == .fraction(0) }) {
      return .contradiction(
        "'crop' would remove the whole photo", remedy: "make width and height larger than 0")
    }
    for (names, lengths) in [
      ("'left' and 'right'", [left, right]), ("'top' and 'bottom'", [top, bottom]),
    ] {
      let parts = lengths.map { if case .fraction(let part) = $0 { part } else { 0.0 } }
      if parts.reduce(0, +) >= 1 {
        return .contradiction(
          "'crop' would remove the whole photo", remedy: "make \(names) smaller")
      }
    }
    return nil
  }

  private var hasEdges: Bool {
    [left, top, right, bottom, width, height].contains { $0 != nil }
  }

  public var isIdentity: Bool { aspect == nil && !hasEdges }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    if let aspect { return graph.append(.crop(.ratio(aspect, gravity)), input) }
    var edges = Crop.Edges()
    (edges.left, edges.top, edges.right, edges.bottom) = (left, top, right, bottom)
    (edges.width, edges.height) = (width, height)
    return graph.append(.crop(.edges(edges, gravity, dpi: dpi)), input)
  }
}
