/// Blurs the photo with a Gaussian.
public struct Blur: Filter {
  public static let name = "blur"
  public static let summary = "Blurs the photo with a Gaussian."
  public static let category = FilterCategory.detail
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "radius", \.radius, .number(.pixels, 0...250), identity: 0,
      "The standard deviation; below 0.3 nothing happens.")
  ]

  public var radius = 0.0

  public init() {}

  public var isIdentity: Bool { radius < 0.3 }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append(.area(AreaOperation("blur", ["sigma": .length(radius)])), input)
  }
}
