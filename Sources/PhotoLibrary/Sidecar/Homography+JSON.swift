public import Notation
public import PhotoRecipes

extension Homography {
  /// The nine values of the matrix, row by row.
  public var json: JSON { .array(numbers.map(JSON.number)) }

  /// Reads the values; nil unless they are nine numbers of a map that has an inverse.
  public init?(_ json: JSON) {
    let numbers = json.array?.compactMap(\.number) ?? []
    guard numbers.count == 9, numbers.count == json.array?.count else { return nil }
    let rows = [0, 3, 6].map { SIMD3(numbers[$0], numbers[$0 + 1], numbers[$0 + 2]) }
    self.init(rows[0], rows[1], rows[2])
    guard inverse.numbers.allSatisfy(\.isFinite) else { return nil }
  }

  /// The same map with numbers that are short in a text and the same on all computers; positions
  /// 0…1 move by less than 1e-8.
  public var rounded: Homography {
    let unit = rows[2].z == 0 ? 1 : rows[2].z
    // Zero is added because it turns the number -0 into 0.
    let rows = rows.map { ($0 / unit * 1e9).rounded(.toNearestOrEven) / 1e9 + SIMD3() }
    return Homography(rows[0], rows[1], rows[2])
  }
}
