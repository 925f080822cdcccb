/// Rotates the photo by a few degrees and crops the empty corners.
///
/// Pixels are interpolated by cubic convolution at their own scale; the photo is not enlarged.
public struct Straighten: Filter {
  public static let name = "straighten"
  public static let summary = "Rotates the photo by a few degrees and crops the empty corners."
  public static let category = FilterCategory.geometry
  public static let space = WorkingSpace.none
  public static let settings: [Setting<Self>] = [
    Setting("angle", \.angle, .number(.degrees, -45...45), identity: 0, "Clockwise.").usually(
      -15...15),
    Setting(
      "keep", \.keep, Warp.Keeping.kind,
      "shape keeps the largest rectangle with the photo's aspect ratio, most the largest with any"
        + " aspect ratio, all keeps the whole photo and fills the rest with a colour."
    ),
    Setting("colour", \.colour, .colour, "The colour around the photo with \"keep\": \"all\"."),
  ]

  public var angle = 0.0
  public var keep = Warp.Keeping.shape
  public var colour = Colour.white

  public init() {}

  public static var example: Self { with { $0.angle = 4 } }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    var warp = Warp(.turn(angle))
    warp.keeping = keep
    warp.colour = colour
    return graph.append(.warp(warp), input)
  }
}
