/// Mounts the photo like a picture framer: with a line around it, a mat, and an outer border.
///
/// The mat can be widened to a ratio; the outer border then surrounds the widened mat. The line,
/// the mat and the border each surround a picture; a relative width is a fraction of the shorter
/// edge of that picture.
public struct FrameFilter: Filter {
  public static let name = "frame"
  public static let summary =
    "Frames the photo with a line, a mat and a border, also to an aspect ratio."
  public static let category = FilterCategory.geometry
  public static let space = WorkingSpace.none
  public static let settings: [Setting<Self>] = [
    Setting("line", \.line, .length, "The width of the line around the photo; 0 for none."),
    Setting("lineColour", \.lineColour, .colour, "The line's colour."),
    Setting("mat", \.mat, .length, "The width of the mat around the line."),
    Setting("matColour", \.matColour, .colour, "The mat's colour."),
    Setting("aspect", \.aspect, .ratio, "Widens the mat until the frame has this aspect ratio."),
    Setting("gravity", \.gravity, Gravity.kind, "The position of the photo in the widened frame."),
    Setting("border", \.border, .length, "The width of the border around the mat; 0 for none."),
    Setting("borderColour", \.borderColour, .colour, "The border's colour."),
    Setting(
      "dpi", \.dpi, .number(.dpi, 1...9600),
      "Pixels per inch, for lengths on paper such as \"3cm\"."
    ).usually(72...600),
  ]

  public var line = Length.fraction(0.003)
  public var lineColour = Colour(red: 0x30, green: 0x30, blue: 0x30)
  public var mat = Length.fraction(0.08)
  public var matColour = Colour.white
  public var aspect: Ratio?
  public var gravity = Gravity.center
  public var border = Length.pixels(0)
  public var borderColour = Colour(red: 0x20, green: 0x20, blue: 0x20)
  public var dpi = 300.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    var pads = [
      Pad(frame: .border(line, dpi: dpi), gravity: .center, colour: lineColour),
      Pad(frame: .border(mat, dpi: dpi), gravity: .center, colour: matColour),
    ]
    if let aspect { pads.append(Pad(frame: .ratio(aspect), gravity: gravity, colour: matColour)) }
    pads.append(Pad(frame: .border(border, dpi: dpi), gravity: .center, colour: borderColour))
    return pads.reduce(input) { graph.append(.pad($1), $0) }
  }
}
