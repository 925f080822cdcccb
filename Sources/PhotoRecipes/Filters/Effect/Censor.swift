/// Makes a rectangle of the photo unrecognisable; one step for each rectangle.
///
/// What covers it is computed from the pixels inside alone. A blur can be undone in part, squares
/// that are small too: a fill cannot.
public struct Censor: Filter {
  public enum Method: String, Choice {
    case pixelate, blur, fill
  }

  public static let name = "censor"
  public static let summary = "Makes a rectangle of the photo unrecognisable."
  public static let category = FilterCategory.effect
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting("left", \.left, .number(.fraction, 0...1), "Left edge, as a part of the width."),
    Setting("top", \.top, .number(.fraction, 0...1), "Upper edge, as a part of the height."),
    Setting("width", \.width, .number(.fraction, 0...1), identity: 0, "A part of the width."),
    Setting("height", \.height, .number(.fraction, 0...1), identity: 0, "A part of the height."),
    Setting("method", \.method, Method.kind, "What covers the rectangle."),
    Setting(
      "size", \.size, .integer(.pixels, 1...250),
      "The side of a square, or the standard deviation of the blur."),
    Setting("colour", \.colour, .colour, "The colour that fills it."),
  ]

  public var left = 0.0
  public var top = 0.0
  public var width = 1.0
  public var height = 1.0
  public var method = Method.pixelate
  public var size = 40
  public var colour = Colour(red: 0, green: 0, blue: 0)

  public init() {}

  public var isIdentity: Bool { width == 0 || height == 0 }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    var operation = AreaOperation(
      "censor",
      [
        "left": .number(left), "top": .number(top), "width": .number(width),
        "height": .number(height),
      ])
    switch method {
    case .pixelate: operation.arguments["size"] = .integer(size)
    case .blur: operation.arguments["sigma"] = .length(Double(size))
    case .fill:
      let components = [colour.red, colour.green, colour.blue].map { Double($0) / 255 }
      operation.arguments["colour"] = .numbers(components)
    }
    return graph.append(.area(operation), input)
  }
}
