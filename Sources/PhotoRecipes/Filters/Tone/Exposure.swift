import Glibc

/// Scales scene light, like a longer or shorter shutter time.
///
/// `out = in × 2^stops`, for each channel of linear light. No value is clipped: a later filter may
/// bring it back into range.
public struct Exposure: Filter {
  public static let name = "exposure"
  public static let summary = "Brightens or darkens the photo in photographic stops."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.linear
  public static let settings: [Setting<Self>] = [
    Setting(
      "stops", \.stops, .number(.stops, -10...10), identity: 0,
      "The change in stops; +1 doubles the light."
    ).usually(-4...4)
  ]

  public var stops = 0.0

  public init() {}

  public static var example: Self { with { $0.stops = 0.8 } }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append(
      [.curve(.linear(slope: exp2(stops), offset: 0))], in: Self.space, after: input)
  }
}
