/// A 3×3 matrix with an offset: `out = rows × in + offset`, on (R, G, B) or (L, a, b).
public struct ColourMatrix: Sendable, Hashable {
  public typealias Vector = SIMD3<Double>

  public var rows: [Vector]
  public var offset: Vector

  public init(_ x: Vector, _ y: Vector, _ z: Vector, offset: Vector = .zero) {
    rows = [x, y, z]
    self.offset = offset
  }

  public static let identity = ColourMatrix(
    Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1))

  public static func diagonal(_ d: Vector, offset: Vector = .zero) -> ColourMatrix {
    ColourMatrix(Vector(d.x, 0, 0), Vector(0, d.y, 0), Vector(0, 0, d.z), offset: offset)
  }

  public func callAsFunction(_ v: Vector) -> Vector {
    Vector((rows[0] * v).sum(), (rows[1] * v).sum(), (rows[2] * v).sum()) + offset
  }

  /// The matrix that applies `first` and then `self`.
  public func after(_ first: ColourMatrix) -> ColourMatrix {
    let product = rows.map { row in
      row.x * first.rows[0] + row.y * first.rows[1] + row.z * first.rows[2]
    }
    return ColourMatrix(product[0], product[1], product[2], offset: self(first.offset))
  }

  /// The inverse matrix; nil if the matrix is singular.
  public var inverse: ColourMatrix? {
    let (a, b, c) = (rows[0], rows[1], rows[2])
    let cofactors = [Self.cross(b, c), Self.cross(c, a), Self.cross(a, b)]
    let determinant = (a * cofactors[0]).sum()
    if abs(determinant) < 1e-14 { return nil }
    let columns = cofactors.map { $0 / determinant }
    var inverse = ColourMatrix(
      Vector(columns[0].x, columns[1].x, columns[2].x),
      Vector(columns[0].y, columns[1].y, columns[2].y),
      Vector(columns[0].z, columns[1].z, columns[2].z))
    inverse.offset = -inverse(offset)
    return inverse
  }

  private static func cross(_ u: Vector, _ v: Vector) -> Vector {
    Vector(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x)
  }

  /// The gains of a matrix that does not mix channels; nil for other matrices.
  var diagonal: Vector? {
    let d = Vector(rows[0].x, rows[1].y, rows[2].z)
    return self == .diagonal(d, offset: offset) ? d : nil
  }

  /// True if the matrix moves no value of 0…1 by more than a rounding error.
  var isNearIdentity: Bool {
    zip(rows + [offset], Self.identity.rows + [.zero]).allSatisfy { pair in
      let difference = pair.0 - pair.1
      return (difference * difference).sum() < 1e-20
    }
  }
}

extension ColourMatrix: CustomStringConvertible {
  public var description: String {
    let lines = rows.indices.map { index in
      let row = rows[index]
      let shift = offset[index] == 0 ? "" : " +\(offset[index].short)"
      return "\(row.x.short) \(row.y.short) \(row.z.short)\(shift)"
    }
    return lines.joined(separator: " | ")
  }
}

extension Double {
  /// The number with at most four decimal places, for the printed form of graphs.
  package var short: String {
    let rounded = (self * 10_000).rounded() / 10_000
    return rounded == 0 ? "0" : rounded.brief
  }
}
