/// Porter and Duff's operators in double precision, on premultiplied colours.
///
/// - Source: W3C, Compositing and Blending Level 1, section 9.1: `co = cs × Fa + cb × Fb`; mode 13,
///   `saturate`, is OpenGL's `SRC_ALPHA_SATURATE`.
package enum CompositionReference {
  package typealias Pixel = SIMD4<Double>

  package static let modes = 1...13

  /// Composites two pixels, whose colours are not premultiplied; modes are numbered as in
  /// `phbatch_program.h`.
  ///
  /// A transparent result has the colour 0.
  package static func composed(_ mode: Int, _ backdrop: Pixel, _ source: Pixel) -> Pixel {
    let (s, b) = (source.w, backdrop.w)
    let (fa, fb): (Double, Double) =
      switch mode {
      case 1: (0, 0)
      case 2: (1, 0)
      case 3: (1, 1 - s)
      case 4: (b, 0)
      case 5: (1 - b, 0)
      case 6: (b, 1 - s)
      case 7: (0, 1)
      case 8: (1 - b, 1)
      case 9: (0, s)
      case 10: (0, 1 - s)
      case 11: (1 - b, s)
      case 12: (1 - b, 1 - s)
      case 13: (s > 0 ? min(1, (1 - b) / s) : 1, 1)
      default: (.nan, .nan)
      }
    let result = premultiplied(source) * fa + premultiplied(backdrop) * fb
    if result.w == 0 { return .zero }
    return Pixel(result.x / result.w, result.y / result.w, result.z / result.w, result.w)
  }

  private static func premultiplied(_ pixel: Pixel) -> Pixel {
    pixel * Pixel(pixel.w, pixel.w, pixel.w, 1)
  }
}
