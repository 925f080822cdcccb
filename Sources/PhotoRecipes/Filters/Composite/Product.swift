/// Prepares a product picture for a shop: trimmed, with a white background, centred in a frame.
///
/// The filter combines these steps:
///
/// - `trim`, which here keeps all of the product's edge.
/// - A gain of linear light that makes a light background white, by a factor of at most 2. Brighter
///   light is limited to white.
/// - `shadow`, if the photo is transparent.
/// - Two pads, which add the margin and widen the frame to the aspect ratio.
public struct Product: MeasuringFilter {
  public static let name = "product"
  public static let summary = "Trims a product's picture, whitens its background and centres it."
  public static let category = FilterCategory.composite
  public static let space = WorkingSpace.none
  public static let changesFrame = true
  public static let revision = 3
  public static let viewEdge = 1024
  public static let seesEverythingIfExact = true
  public static let settings: [Setting<Self>] = [
    Setting(
      "threshold", \.threshold, .number(.fraction, 0...1),
      "The minimum difference between the colours of product and background, display-encoded."),
    Setting("aspect", \.aspect, .ratio, "The result's aspect ratio."),
    Setting(
      "margin", \.margin, .length,
      "The margin around the product; a fraction is relative to the product's shorter edge."),
    Setting("colour", \.colour, .colour, "The colour around the product."),
    Setting("whiten", \.whitens, .flag, "Whether the background becomes white."),
    Setting(
      "shadow", \.shadow, .number(.strength, 0...1),
      "The darkness of the shadow of a product on a transparent background."),
    Setting(
      "dpi", \.dpi, .number(.dpi, 1...9600),
      "Pixels per inch, for lengths on paper such as \"3cm\"."
    ).usually(72...600),
  ]

  public var threshold = 0.1
  public var aspect = Ratio(width: 1, height: 1)
  public var margin = Length.fraction(0.1)
  public var colour = Colour.white
  public var whitens = true
  public var shadow = 0.3
  public var dpi = 300.0

  public init() {}

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    var node = input
    if let subject = Subject(
      in: view, background: nil, threshold: Float(threshold), keepsEdges: true)
    {
      node = graph.append(.crop(.pixels(subject.box)), node)
      if whitens, let gains = Self.whitening(subject.background) {
        node = Self.whitened(node, gains, in: &graph, isHDR: view.isHDR)
      }
      if shadow > 0 && subject.background == nil {
        var thrown = ShadowFilter()
        thrown.strength = shadow
        node = thrown.append(to: &graph, after: node)
      }
    }
    for frame in [Pad.Frame.border(margin, dpi: dpi), .ratio(aspect)] {
      node = graph.append(.pad(Pad(frame: frame, gravity: .center, colour: colour)), node)
    }
    return colour.alpha == 255 ? graph.append(.flatten(colour), node) : node
  }

  /// Applies the gains, and limits colours to white unless the result is for HDR displays.
  ///
  /// A shoulder at the end of the chain would darken the white background and the colour around the
  /// product.
  private static func whitened(
    _ input: Graph.ID, _ gains: ColourMatrix.Vector, in graph: inout Graph, isHDR: Bool
  ) -> Graph.ID {
    let node = graph.append([.matrix(.diagonal(gains))], in: .linear, after: input)
    if isHDR { return node }
    return graph.append(.program(PointProgram([.colour(.rolloff(Rolloff(peak: 1)))])), node)
  }

  /// The gains in linear light that make a background white; nil if it is dark, transparent or
  /// white.
  private static func whitening(_ background: SIMD3<Float>?) -> ColourMatrix.Vector? {
    guard let background, background.min() > 0.5, background.min() < 1 else { return nil }
    let light = (0..<3).map { Curve.decode(Double(background[$0])) }
    let gains = light.map { min(max(1 / $0, 1), 2) }
    return ColourMatrix.Vector(gains[0], gains[1], gains[2])
  }
}
