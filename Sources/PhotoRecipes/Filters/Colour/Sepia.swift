/// Tones the photo brown, like an old print.
///
/// The filter applies a matrix to display-encoded values, and mixes the result with the photo by
/// `intensity`.
/// - Source: W3C Filter Effects Module Level 1, `sepia()`.
public struct Sepia: Filter {
  public static let name = "sepia"
  public static let summary = "Tones the photo brown, like an old print."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "intensity", \.intensity, .number(.fraction, 0...1), identity: 0,
      "The strength of the effect; 0 keeps the colours.")
  ]

  static let full = ColourMatrix(
    .init(0.393, 0.769, 0.189), .init(0.349, 0.686, 0.168), .init(0.272, 0.534, 0.131))

  public var intensity = 1.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let rows = zip(Self.full.rows, ColourMatrix.identity.rows).map { sepia, same in
      sepia * intensity + same * (1 - intensity)
    }
    return graph.append(
      [.matrix(ColourMatrix(rows[0], rows[1], rows[2]))], in: Self.space, after: input)
  }
}
