public import Notation

/// Puts the photo into a larger frame.
public struct PadFilter: Filter {
  public static let name = "pad"
  public static let summary = "Extends the photo to a larger frame with one colour."
  public static let category = FilterCategory.geometry
  public static let space = WorkingSpace.none
  public static let settings: [Setting<Self>] = [
    Setting("width", \.width, .length, "The frame's minimum width."),
    Setting("height", \.height, .length, "The frame's minimum height."),
    Setting("aspect", \.aspect, .ratio, "The frame's aspect ratio, in place of width and height."),
    Setting("gravity", \.gravity, Gravity.kind, "The position of the photo in the frame."),
    Setting(
      "colour", \.colour, .colour, "The frame's colour; transparency needs a format with alpha."),
    Setting(
      "dpi", \.dpi, .number(.dpi, 1...9600),
      "Pixels per inch, for lengths on paper such as \"3cm\"."
    ).usually(72...600),
  ]

  public var width: Length?
  public var height: Length?
  public var aspect: Ratio?
  public var gravity = Gravity.center
  public var colour = Colour.white
  public var dpi = 300.0

  public init() {}

  public static var example: Self { with { $0.aspect = Ratio(width: 1, height: 1) } }

  public var contradiction: Problem? {
    let size = width != nil || height != nil
    if size && aspect != nil {
      return .contradiction("'pad' has both 'aspect' and a size", remedy: "keep one of them")
    }
    if !size && aspect == nil {
      return .contradiction(
        "'pad' has no size for the frame", remedy: "add \"aspect\": \"1:1\", for example")
    }
    return nil
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let frame = aspect.map(Pad.Frame.ratio) ?? .size(width: width, height: height, dpi: dpi)
    return graph.append(.pad(Pad(frame: frame, gravity: gravity, colour: colour)), input)
  }
}
