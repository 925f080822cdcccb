/// A table of colours at the points of a cube, looked up by R, G and B, with tetrahedral
/// interpolation.
///
/// Inputs are clamped to the domain; the colours in the table have no limits.
/// - Source: J. M. Kasson, W. Plouffe, S. I. Nin, "A tetrahedral interpolation technique for color
///   space conversion", Proc. SPIE 1909, 1993.
public struct ColourCube: Sendable, Hashable {
  public typealias Vector = ColourMatrix.Vector

  /// The permitted number of points along one edge.
  public static let edges = 2...256

  public let edge: Int
  /// The inputs of the first and the last point, for each channel.
  public let low: Vector
  public let high: Vector
  /// R, G, B of each point; red varies fastest, then green.
  public let values: [Float]
  /// A description of the cube's source for the printed form of graphs; nil if the cube has none.
  public let note: String?

  /// Creates a cube of `edge`³ points; nil if the number of values is wrong.
  public init?(
    edge: Int, low: Vector = .zero, high: Vector = .one, values: [Float], note: String? = nil
  ) {
    guard Self.edges.contains(edge), values.count == 3 * edge * edge * edge else { return nil }
    self.edge = edge
    self.low = low
    self.high = high
    self.values = values
    self.note = note
  }

  public func callAsFunction(_ colour: Vector) -> Vector {
    let last = Double(edge - 1)
    let scaled = (colour - low) / (high - low)
    let place =
      last
      * scaled.replacing(with: 0, where: .!(scaled .> 0)).clamped(
        lowerBound: .zero, upperBound: .one)
    let start = place.rounded(.down).clamped(
      lowerBound: .zero, upperBound: Vector(repeating: last - 1))
    let part = place - start
    var corner = start
    var (result, weight) = (Vector.zero, 1.0)
    for axis in [0, 1, 2].sorted(by: { part[$0] > part[$1] }) {
      result += (weight - part[axis]) * self[corner]
      weight = part[axis]
      corner[axis] += 1
    }
    return result + weight * self[corner]
  }

  private subscript(point: Vector) -> Vector {
    let index = 3 * (Int(point.x) + edge * (Int(point.y) + edge * Int(point.z)))
    return Vector(Double(values[index]), Double(values[index + 1]), Double(values[index + 2]))
  }
}

extension ColourCube: CustomStringConvertible {
  public var description: String {
    let domain =
      low == .zero && high == .one
      ? ""
      : " from \(low.x.short),\(low.y.short),\(low.z.short)"
        + " to \(high.x.short),\(high.y.short),\(high.z.short)"
    return "cube \(edge)³\(domain)\(note.map { ", \($0)" } ?? "")"
  }
}
