/// Makes edges of brightness steeper: a luma unsharp mask.
///
/// `out = in + amount × d`, where `d` is the display-encoded luma `0.2126 R + 0.7152 G + 0.0722 B`
/// less its Gaussian blur, moved towards 0 by `threshold`.
public struct Sharpen: Filter {
  public static let name = "sharpen"
  public static let summary = "Makes edges steeper, without coloured fringes."
  public static let category = FilterCategory.detail
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting("amount", \.amount, .number(.factor, 0...10), identity: 0, "How much is added."),
    Setting("radius", \.radius, .number(.pixels, 0.3...50), "The standard deviation of the blur."),
    Setting(
      "threshold", \.threshold, .number(.fraction, 0...1),
      "Differences of luma up to this, noise perhaps, are left alone."),
  ]

  public var amount = 0.5
  public var radius = 0.8
  public var threshold = 0.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let mask = AreaOperation(
      "unsharp",
      ["sigma": .length(radius), "amount": .number(amount), "threshold": .number(threshold)])
    return graph.append(.area(mask), input)
  }
}
