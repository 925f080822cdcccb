/// The payload of the instruction on hues.
package enum HuePayload {
  /// The payload for rows of c, s, g and l: as many as steps, and one more.
  package static func of(_ rows: [[Float]]) -> [Float] {
    [Float(rows.count - 1)] + arcs(of: rows) { $0[0] != 1 || $0[1] != 0 }
      + arcs(of: rows) { $0[2] != 0 } + arcs(of: rows) { $0[2] > 0 } + arcs(of: rows) { $0[3] != 0 }
      + rows.flatMap { $0[..<2] } + rows.flatMap { $0[2...] }
  }

  /// The arcs with a row that is asked for, as bits of two numbers.
  private static func arcs(of rows: [[Float]], _ isAsked: ([Float]) -> Bool) -> [Float] {
    let length = (rows.count - 1) / 32
    let bits = (0..<32).map { arc in
      rows[arc * length...(arc + 1) * length].contains(where: isAsked) ? 1 << (arc % 16) : 0
    }
    return [Float(bits[..<16].reduce(0, +)), Float(bits[16...].reduce(0, +))]
  }
}
