public import Notation

/// Three rows of three factors, each followed by an optional offset; all values are −16…16.
extension ColourMatrix: SettingValue {
  static let range = -16.0...16

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<ColourMatrix, Problem> {
    guard let rows = json.array else { return wrongType(json, kind) }
    if rows.count != 3 { return malformed(json, kind) }
    var matrix = ColourMatrix.identity
    for (index, row) in rows.enumerated() {
      guard let numbers = row.array?.map(\.number) else { return wrongType(row, kind) }
      let values = numbers.compactMap(\.self)
      guard values.count == numbers.count else { return wrongType(row, kind) }
      guard values.count == 3 || values.count == 4 else { return malformed(row, kind) }
      guard values.allSatisfy(range.contains) else { return outOfRange(row, kind) }
      matrix.rows[index] = Vector(values[0], values[1], values[2])
      matrix.offset[index] = values.count == 4 ? values[3] : 0
    }
    return .success(matrix)
  }

  public var json: JSON? {
    .array(
      rows.indices.map { index in
        let row = rows[index]
        let shift = offset == .zero ? [] : [offset[index]]
        return .array(([row.x, row.y, row.z] + shift).map(JSON.number))
      })
  }
}
