/// The CIE 1960 chromaticity diagram, in which equal distances look about equally large.
///
/// - Source: CIE 015:2018, appendix; the diagram of correlated colour temperatures.
enum UniformChromaticity {
  /// Converts XYZ with Y > 0 to (u, v).
  static func uv(_ xyz: ColourMatrix.Vector) -> SIMD2<Double> {
    SIMD2(4 * xyz.x, 6 * xyz.y) / (xyz.x + 15 * xyz.y + 3 * xyz.z)
  }

  /// Converts (u, v) to XYZ with Y = 1.
  static func xyz(_ uv: SIMD2<Double>) -> ColourMatrix.Vector {
    Primaries.xyz(SIMD2(3 * uv.x, 2 * uv.y) / (2 * uv.x - 8 * uv.y + 4))
  }

  /// The (u, v) of sRGB's white.
  static let neutral = uv(Primaries.xyz(Primaries.d65))
}
