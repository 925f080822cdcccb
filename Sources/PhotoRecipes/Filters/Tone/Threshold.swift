/// Converts the photo to pure black and white.
///
/// Pixels with a BT.709 luma (of display-encoded values) of `level` or more become white.
public struct Threshold: Filter {
  public static let name = "threshold"
  public static let summary = "Makes each pixel either black or white."
  public static let revision = 2
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting("level", \.level, .number(.fraction, 0...1), "The lowest luma that becomes white.")
  ]

  public var level = 0.5

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    // Moves `level` to ½, the boundary between two steps.
    let luma = ColourMatrix(
      Grade.luma, Grade.luma, Grade.luma, offset: .init(repeating: 0.5 - level))
    return graph.append([.matrix(luma), .colour(.steps(2))], in: Self.space, after: input)
  }
}
