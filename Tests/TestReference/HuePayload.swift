/// The payload of the instruction HUES.
package enum HuePayload {
  /// Creates the payload from rows of c, s, g and l; there is one row more than steps.
  package static func of(_ rows: [[Float]]) -> [Float] {
    [Float(rows.count - 1)] + arcs(of: rows) { $0[0] != 1 || $0[1] != 0 }
      + arcs(of: rows) { $0[2] != 0 } + arcs(of: rows) { $0[2] > 0 } + arcs(of: rows) { $0[3] != 0 }
      + rows.flatMap { $0[..<2] } + rows.flatMap { $0[2...] }
  }

  /// The arcs with a row for which `isAsked` is true, as the bits of two floats.
  private static func arcs(of rows: [[Float]], _ isAsked: ([Float]) -> Bool) -> [Float] {
    let length = (rows.count - 1) / 32
    let bits = (0..<32).map { arc in
      rows[arc * length...(arc + 1) * length].contains(where: isAsked) ? 1 << (arc % 16) : 0
    }
    return [Float(bits[..<16].reduce(0, +)), Float(bits[16...].reduce(0, +))]
  }
}
