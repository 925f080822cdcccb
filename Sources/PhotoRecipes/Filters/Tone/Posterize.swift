/// Reduces each channel to a few even steps.
///
/// With n levels, `out = min(⌊n × in⌋, n − 1) / (n − 1)` of values clamped to 0…1.
/// - Source: W3C Filter Effects Module Level 1, `feFuncR type="discrete"` with even values.
public struct Posterize: Filter {
  public static let name = "posterize"
  public static let summary = "Reduces each colour channel to a few equal steps."
  public static let revision = 2
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting("levels", \.levels, .integer(.level, 2...64), "The number of steps of each channel.")
  ]

  public var levels = 4

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append([.colour(.steps(levels))], in: Self.space, after: input)
  }
}
