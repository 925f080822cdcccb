/// The payload of the instruction HUES.
package enum HuePayload {
  /// Creates the payload from rows for equal steps of the hue circle, both ends included.
  ///
  /// A row contains the cosine c and the sine s of the rotation, the growth g of chroma, and the
  /// change l of lightness.
  package static func of(
    _ rows: [[Float]], _ gamut: [Float] = GamutPayload.sRGB
  ) -> [Float] {
    [Float(rows.count - 1)] + arcs(of: rows) { $0[0] != 1 || $0[1] != 0 }
      + arcs(of: rows) { $0[2] != 0 } + arcs(of: rows) { $0[2] > 0 } + arcs(of: rows) { $0[3] != 0 }
      + rows.flatMap { $0[..<2] } + rows.flatMap { $0[2...] } + gamut
  }

  /// The hue arcs that contain a row for which `isAsked` is true, as a bit set: one bit for each of
  /// the 32 equal arcs of the hue circle, with 16 bits in each of two floats.
  private static func arcs(of rows: [[Float]], _ isAsked: ([Float]) -> Bool) -> [Float] {
    let length = (rows.count - 1) / 32
    let bits = (0..<32).map { arc in
      rows[arc * length...(arc + 1) * length].contains(where: isAsked) ? 1 << (arc % 16) : 0
    }
    return [Float(bits[..<16].reduce(0, +)), Float(bits[16...].reduce(0, +))]
  }
}
