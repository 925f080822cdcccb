/// Changes the tones between black and white by a power function.
///
/// `out = in^(1/gamma)`, odd-symmetric about 0.
public struct Gamma: Filter {
  public static let name = "gamma"
  public static let summary =
    "Brightens or darkens the middle tones; black and white do not change."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting("gamma", \.gamma, .number(.factor, 0.1...10), identity: 1, "Above 1 brightens.")
      .usually(0.3...3)
  ]

  public var gamma = 1.0

  public init() {}

  public static var example: Self { with { $0.gamma = 1.6 } }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append([.curve(.power(1 / gamma))], in: Self.space, after: input)
  }
}
