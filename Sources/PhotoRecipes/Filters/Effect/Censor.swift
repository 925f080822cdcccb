public import Notation

/// Makes one rectangle of the photo, or several in turn, unrecognisable.
///
/// The new pixels of a rectangle are computed only from the old pixels inside it. A blur and small
/// squares can partly be reversed; a fill cannot.
public struct Censor: Filter {
  public enum Method: String, Choice {
    case pixelate, blur, fill
  }

  public static let name = "censor"
  public static let summary = "Makes a rectangle of the photo unrecognisable."
  public static let category = FilterCategory.effect
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "left", \.left, .number(.fraction, 0...1),
      "The left edge, as a fraction of the photo's width."),
    Setting(
      "top", \.top, .number(.fraction, 0...1),
      "The upper edge, as a fraction of the photo's height."),
    Setting(
      "width", \.width, .number(.fraction, 0...1), identity: 0,
      "The width, as a fraction of the photo's width."),
    Setting(
      "height", \.height, .number(.fraction, 0...1), identity: 0,
      "The height, as a fraction of the photo's height."),
    Setting(
      "areas", \.areas, .areas, "Several rectangles, in place of left, top, width and height."),
    Setting("method", \.method, Method.kind, "The effect that hides the rectangle."),
    Setting(
      "size", \.size, .integer(.pixels, 1...250),
      "The side of a square of the mosaic, or the standard deviation of the blur."),
    Setting("colour", \.colour, .colour, "The colour that fills it."),
  ]

  public var left = 0.0
  public var top = 0.0
  public var width = 1.0
  public var height = 1.0
  public var areas: Areas?
  public var method = Method.pixelate
  public var size = 40
  public var colour = Colour(red: 0, green: 0, blue: 0)

  public init() {}

  private var rectangles: [Areas.Area] {
    let one = Areas.Area(left: left, top: top, width: width, height: height)
    return (areas?.areas ?? [one]).filter { $0.width > 0 && $0.height > 0 }
  }

  public var isIdentity: Bool { rectangles.isEmpty }

  public var contradiction: Problem? {
    guard areas != nil, (left, top, width, height) != (0, 0, 1, 1) else { return nil }
    return .contradiction(
      "'censor' has both 'areas' and the settings of one rectangle",
      remedy: "add [left, top, width, height] to 'areas' and remove the four settings")
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    rectangles.reduce(input) { graph.append(.area(operation(on: $1)), $0) }
  }

  private func operation(on area: Areas.Area) -> AreaOperation {
    var operation = AreaOperation(
      .censor,
      [
        "left": .number(area.left), "top": .number(area.top), "width": .number(area.width),
        "height": .number(area.height),
      ])
    switch method {
    case .pixelate: operation.arguments["size"] = .length(Double(size))
    case .blur: operation.arguments["sigma"] = .length(Double(size))
    case .fill:
      let components = [colour.red, colour.green, colour.blue].map { Double($0) / 255 }
      operation.arguments["colour"] = .numbers(components)
    }
    return operation
  }
}
