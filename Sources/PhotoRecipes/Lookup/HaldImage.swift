/// An image whose pixels, row by row, are the points of a cube: a HaldCLUT.
///
/// At level L the image has L³ × L³ pixels and the cube L² points along an edge.
/// - Source: E. Eskil Steenberg, "Hald CLUT", quelsolaar.com.
public enum HaldImage {
  /// The level of an image of `size`; nil if it is no such image.
  public static func level(of size: Size) -> Int? {
    (2...11).first { $0 * $0 * $0 == size.width && size.width == size.height }
  }

  /// The cube of an image's samples, R, G, B from 0…1; nil if it is no such image.
  public static func cube(size: Size, samples: [Float]) -> ColourCube? {
    level(of: size).flatMap { ColourCube(edge: $0 * $0, values: samples) }
  }
}
