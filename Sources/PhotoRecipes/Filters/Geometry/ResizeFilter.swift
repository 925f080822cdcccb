public import Notation

/// Changes the size of the photo.
public struct ResizeFilter: Filter {
  public static let name = "resize"
  public static let summary = "Changes the size of the photo; enlarges it only if allowed."
  public static let category = FilterCategory.geometry
  public static let space = WorkingSpace.none
  public static let settings: [Setting<Self>] = [
    Setting("width", \.width, .length, "The new width."),
    Setting("height", \.height, .length, "The new height."),
    Setting("longEdge", \.longEdge, .length, "The new longer edge."),
    Setting("shortEdge", \.shortEdge, .length, "The new shorter edge."),
    Setting(
      "megapixels", \.megapixels, .number(.megapixels, 0.0001...2000), "The new number of pixels."
    ).usually(0.1...50),
    Setting(
      "percent", \.percent, .number(.percent, 0.01...1000),
      "The new size, in percent of the current size."
    ).usually(5...200),
    Setting(
      "fit", \.fit, Fit.kind,
      "How width and height are used: inside fits the photo into them, cover fills them and crops"
        + " the rest, outside fills them without cropping, exact distorts the photo."
    ),
    Setting("gravity", \.gravity, Gravity.kind, "The part of the photo that 'cover' keeps."),
    Setting("enlarge", \.enlarge, .flag, "Whether a smaller photo is enlarged."),
    Setting("kernel", \.kernel, Resize.Kernel.kind, "The resampling filter."),
    Setting(
      "linear", \.linear, .flag,
      "Whether the filter averages linear light instead of display-encoded values; slower."),
    Setting(
      "dpi", \.dpi, .number(.dpi, 1...9600),
      "Pixels per inch, for lengths on paper such as \"3cm\"."
    ).usually(72...600),
  ]

  public enum Fit: String, Choice {
    case inside, cover, outside, exact
  }

  public var width: Length?
  public var height: Length?
  public var longEdge: Length?
  public var shortEdge: Length?
  public var megapixels: Double?
  public var percent: Double?
  public var fit = Fit.inside
  public var gravity = Gravity.center
  public var enlarge = false
  public var kernel = Resize.Kernel.lanczos3
  public var linear = false
  public var dpi = 300.0

  public init() {}

  public static var example: Self { with { $0.longEdge = .pixels(320) } }

  public var contradiction: Problem? {
    let box = width != nil || height != nil
    let ways =
      [box, longEdge != nil, shortEdge != nil, megapixels != nil, percent != nil].count { $0 }
    if ways == 0 {
      return .contradiction("'resize' has no size", remedy: "add \"longEdge\": 1600, for example")
    }
    if ways > 1 {
      return .contradiction(
        "'resize' has \(ways) different sizes",
        remedy: "keep only one of width/height, longEdge, shortEdge, megapixels, percent")
    }
    let lengths = [width, height, longEdge, shortEdge]
    if lengths.contains(where: { $0 == .pixels(0) || $0 == .fraction(0) }) {
      return .contradiction("the size of 'resize' is 0", remedy: "make the size larger than 0")
    }
    if fit == .cover && (width == nil || height == nil) {
      return .contradiction(
        "'resize' needs width and height for \"fit\": \"cover\"", remedy: "give both")
    }
    return nil
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    var resize = Resize(target)
    resize.enlarge = enlarge
    resize.kernel = kernel
    resize.linear = linear
    resize.dpi = dpi
    guard fit == .cover, let width, let height else {
      return graph.append(.resize(resize), input)
    }
    let shape = graph.append(
      .crop(.covering(width: width, height: height, gravity, dpi: dpi)), input)
    return graph.append(.resize(resize), shape)
  }

  private var target: Resize.Target {
    if let longEdge { return .longEdge(longEdge) }
    if let shortEdge { return .shortEdge(shortEdge) }
    if let megapixels { return .megapixels(megapixels) }
    if let percent { return .percent(percent) }
    switch fit {
    case .inside: return .inside(width: width, height: height)
    case .outside: return .outside(width: width, height: height)
    case .cover, .exact: return .exact(width: width, height: height)
    }
  }
}
