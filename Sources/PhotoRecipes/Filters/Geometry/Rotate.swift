public import Notation

/// Rotates the photo by quarter turns.
public struct Rotate: Filter {
  public static let name = "rotate"
  public static let summary = "Rotates the photo by multiples of 90°, clockwise."
  public static let category = FilterCategory.geometry
  public static let space = WorkingSpace.none
  public static let settings: [Setting<Self>] = [
    Setting("angle", \.angle, .integer(.degrees, -270...270), identity: 0, "A multiple of 90.")
  ]

  public var angle = 0

  public init() {}

  public static var example: Self { with { $0.angle = 90 } }

  public var contradiction: Problem? {
    if angle.isMultiple(of: 90) { return nil }
    return .contradiction(
      "'rotate' cannot rotate by \(angle) degrees", remedy: "use a multiple of 90")
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let quarters = ((angle / 90) % 4 + 4) % 4
    return quarters == 0 ? input : graph.append(.turn(quarters), input)
  }
}
