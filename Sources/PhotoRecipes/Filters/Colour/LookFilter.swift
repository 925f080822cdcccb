/// Gives the photo one of eight looks.
///
/// A look is a short chain of this catalogue's filters; see `Look`. The result is mixed with the
/// photo by `intensity`, display-encoded.
public struct LookFilter: Filter {
  public static let name = "look"
  public static let summary = "Applies one of eight looks to the photo."
  public static let category = FilterCategory.colour
  public static let revision = 4
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting("name", \.look, Look.kind, "The look."),
    Setting(
      "intensity", \.intensity, .number(.fraction, 0...1), identity: 0,
      "The strength of the effect; 0 keeps the photo."),
  ]

  public var look = Look.chrome
  public var intensity = 1.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let result = look.filters.reduce(input) { $1.append(to: &graph, after: $0) }
    if intensity == 1 { return result }
    return graph.append(.blend(Blend(opacity: intensity)), input, result)
  }
}
