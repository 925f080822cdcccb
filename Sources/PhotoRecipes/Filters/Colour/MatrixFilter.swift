/// Multiplies each colour by a matrix.
///
/// `out = rows × (R, G, B) + offset`, in linear light or on display-encoded values.
public struct MatrixFilter: Filter {
  public static let name = "matrix"
  public static let summary = "Multiplies each colour by a matrix of three rows."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.linear
  public static let settings: [Setting<Self>] = [
    Setting(
      "rows", \.rows, .matrix, identity: .identity,
      "For each channel the factors of red, green and blue, and an optional offset."),
    Setting(
      "values", \.values, Values.kind,
      "The values that the matrix multiplies: linear light or display-encoded values."),
  ]

  public enum Values: String, Choice {
    case linear, encoded

    var space: WorkingSpace {
      switch self {
      case .linear: .linear
      case .encoded: .encoded
      }
    }
  }

  public var rows = ColourMatrix.identity
  public var values = Values.linear

  public init() {}

  public static var example: Self {
    with { $0.rows = ColourMatrix(.init(0.8, 0.2, 0), .init(0.1, 0.8, 0.1), .init(0, 0.3, 0.7)) }
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append([.matrix(rows)], in: values.space, after: input)
  }
}
