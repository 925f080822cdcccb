import Glibc

/// A CIELAB colour in polar coordinates, relative to the white of sRGB.
///
/// - Source: CIE 15:2004, 8.2.1.
struct LabColour: Sendable, Hashable {
  /// L*, 0…100.
  var lightness: Double
  /// C*, the chroma: the distance from grey.
  var chroma: Double
  /// The hue angle h in degrees.
  var hue: Double

  /// The lightness L* of an XYZ colour, relative to a white with Y = 1.
  static func lightness(_ xyz: ColourMatrix.Vector) -> Double { 116 * root(xyz.y) - 16 }

  /// The colour in XYZ, relative to a white with Y = 1.
  var xyz: ColourMatrix.Vector {
    let height = (lightness + 16) / 116
    let angle = hue * .pi / 180
    let roots = ColourMatrix.Vector(
      height + chroma * cos(angle) / 500, height, height - chroma * sin(angle) / 200)
    return Primaries.xyz(Primaries.d65)
      * ColourMatrix.Vector(Self.power(roots.x), Self.power(roots.y), Self.power(roots.z))
  }

  private static let (small, slope) = (216.0 / 24_389, 24_389.0 / 27)

  private static func root(_ value: Double) -> Double {
    value > small ? cbrt(value) : (slope * value + 16) / 116
  }

  private static func power(_ root: Double) -> Double {
    let cube = root * root * root
    return cube > small ? cube : (116 * root - 16) / slope
  }
}
