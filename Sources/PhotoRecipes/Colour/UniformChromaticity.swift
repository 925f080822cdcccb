/// The CIE 1960 chromaticity diagram, in which equal steps look about equal.
///
/// - Source: CIE 015:2018, appendix; the diagram of correlated colour temperatures.
enum UniformChromaticity {
  /// (u, v) of XYZ, whose Y is above 0.
  static func uv(_ xyz: ColourMatrix.Vector) -> SIMD2<Double> {
    SIMD2(4 * xyz.x, 6 * xyz.y) / (xyz.x + 15 * xyz.y + 3 * xyz.z)
  }

  /// The XYZ of (u, v) with Y = 1.
  static func xyz(_ uv: SIMD2<Double>) -> ColourMatrix.Vector {
    Primaries.xyz(SIMD2(3 * uv.x, 2 * uv.y) / (2 * uv.x - 8 * uv.y + 4))
  }

  /// sRGB's white.
  static let neutral = uv(Primaries.xyz(Primaries.d65))
}
