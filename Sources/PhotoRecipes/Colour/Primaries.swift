/// The chromaticities (CIE 1931 xy) of an RGB space's primaries and white.
public struct Primaries: Sendable, Hashable {
  public var red: SIMD2<Double>
  public var green: SIMD2<Double>
  public var blue: SIMD2<Double>
  public var white: SIMD2<Double>

  public init(
    red: SIMD2<Double>, green: SIMD2<Double>, blue: SIMD2<Double>, white: SIMD2<Double>
  ) {
    (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
  }

  /// The primaries of sRGB (IEC 61966-2-1).
  public static let srgb = Primaries(
    red: .init(0.64, 0.33), green: .init(0.30, 0.60), blue: .init(0.15, 0.06), white: d65)
  /// The primaries of SMPTE EG 432-1 with a D65 white.
  public static let displayP3 = Primaries(
    red: .init(0.68, 0.32), green: .init(0.265, 0.69), blue: .init(0.15, 0.06), white: d65)
  /// The primaries of Adobe RGB (1998) Color Image Encoding, 2005.
  public static let adobeRGB = Primaries(
    red: .init(0.64, 0.33), green: .init(0.21, 0.71), blue: .init(0.15, 0.06), white: d65)
  /// The primaries of ISO 22028-2 (ROMM RGB).
  public static let proPhoto = Primaries(
    red: .init(0.734699, 0.265301), green: .init(0.159597, 0.840403),
    blue: .init(0.036598, 0.000105), white: d50)
  /// The primaries of ITU-R BT.2020-2, table 3.
  public static let rec2020 = Primaries(
    red: .init(0.708, 0.292), green: .init(0.170, 0.797), blue: .init(0.131, 0.046), white: d65)

  /// The primaries of ACEScg and ACEScct (AP1), Academy S-2014-004.
  public static let acescg = Primaries(
    red: .init(0.713, 0.293), green: .init(0.165, 0.830), blue: .init(0.128, 0.044),
    white: .init(0.32168, 0.33767))
  /// Source: ARRI, ALEXA Log C Curve, Usage in VFX, 2017.
  public static let arriWideGamut3 = Primaries(
    red: .init(0.6840, 0.3130), green: .init(0.2210, 0.8480), blue: .init(0.0861, -0.1020),
    white: d65)
  /// Source: ARRI, LogC4 Logarithmic Color Space, Specification, 2022.
  public static let arriWideGamut4 = Primaries(
    red: .init(0.7347, 0.2653), green: .init(0.1424, 0.8576), blue: .init(0.0991, -0.0308),
    white: d65)
  /// Source: Sony, Technical Summary for S-Gamut3.Cine/S-Log3 and S-Gamut3/S-Log3, 2014.
  public static let sGamut3 = Primaries(
    red: .init(0.730, 0.280), green: .init(0.140, 0.855), blue: .init(0.100, -0.050), white: d65)
  /// Source: as for `sGamut3`.
  public static let sGamut3Cine = Primaries(
    red: .init(0.766, 0.275), green: .init(0.225, 0.800), blue: .init(0.089, -0.087), white: d65)
  /// Source: Panasonic, V-Log/V-Gamut Reference Manual, 2014.
  public static let vGamut = Primaries(
    red: .init(0.730, 0.280), green: .init(0.165, 0.840), blue: .init(0.100, -0.030), white: d65)

  public static let d65 = SIMD2(0.3127, 0.3290)
  public static let d50 = SIMD2(0.3457, 0.3585)

  /// The matrix from linear RGB to XYZ; the Y of white is 1.
  public var xyzFromRGB: ColourMatrix {
    let (r, g, b) = (Self.direction(red), Self.direction(green), Self.direction(blue))
    let columns = ColourMatrix(
      .init(r.x, g.x, b.x), .init(r.y, g.y, b.y), .init(r.z, g.z, b.z))
    let scale = (columns.inverse ?? .identity)(Self.xyz(white))
    return columns.after(.diagonal(scale))
  }

  /// An XYZ vector with the given chromaticity and an arbitrary length; an imaginary primary may
  /// have Y = 0.
  private static func direction(_ xy: SIMD2<Double>) -> ColourMatrix.Vector {
    xy.y == 0 ? ColourMatrix.Vector(xy.x, 0, 1 - xy.x) : xyz(xy)
  }

  /// The XYZ of a chromaticity with Y = 1.
  public static func xyz(_ xy: SIMD2<Double>) -> ColourMatrix.Vector {
    ColourMatrix.Vector(xy.x / xy.y, 1, (1 - xy.x - xy.y) / xy.y)
  }
}

/// The primaries and the white of sRGB, D65.
///
/// - Source: IEC 61966-2-1:1999.
public enum SRGB {
  public static let xyzFromRGB = Primaries.srgb.xyzFromRGB
  public static let rgbFromXYZ = xyzFromRGB.inverse ?? .identity
}
