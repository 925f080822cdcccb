/// A HaldCLUT: an image that contains the points of a cube as pixels, row by row.
///
/// At level L the image has L³ × L³ pixels, and the cube has L² points along each edge.
/// - Source: E. Eskil Steenberg, "Hald CLUT", quelsolaar.com.
public enum HaldImage {
  /// The levels whose cubes are not larger than a cube may be.
  static let levels = 2...16

  /// The level of an image of `size`; nil if this is not the size of a HaldCLUT.
  public static func level(of size: Size) -> Int? {
    levels.first { $0 * $0 * $0 == size.width && size.width == size.height }
  }

  /// The cube from an image's samples, R, G and B in 0…1; nil if a HaldCLUT cannot have this size.
  public static func cube(size: Size, samples: [Float]) -> ColourCube? {
    level(of: size).flatMap { ColourCube(edge: $0 * $0, values: samples) }
  }
}
