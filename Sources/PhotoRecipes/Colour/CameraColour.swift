import Glibc

/// The data about a sensor's colours in a raw file.
///
/// A matrix to camera colours has one row for each colour of the camera: red, green, blue.
///
/// - Source: Adobe Digital Negative Specification 1.6, 2021, chapter 6, "Mapping Camera Color Space
///   to CIE XYZ Space".
public struct CameraColour: Sendable, Hashable {
  /// The calibration of a sensor's colours for one light, from a DNG file.
  public struct Calibration: Sendable, Hashable {
    /// The light, as a value of the EXIF tag LightSource; 0 if unknown.
    public var illuminant: Int
    /// The matrix from XYZ to the colours of the reference camera of this model.
    public var fromXYZ: ColourMatrix
    /// The matrix from white-balanced camera colours to XYZ under D50; nil if the file has none.
    public var forward: ColourMatrix?
    /// The matrix from the colours of the model's reference camera to those of the individual
    /// camera.
    public var individual: ColourMatrix

    public init(
      illuminant: Int, fromXYZ: ColourMatrix, forward: ColourMatrix?, individual: ColourMatrix
    ) {
      self.illuminant = illuminant
      self.fromXYZ = fromXYZ
      self.forward = forward
      self.individual = individual
    }

    /// The light's correlated colour temperature in kelvin; 5000 if unknown.
    ///
    /// - Source: Exif 2.32, LightSource; ISO 3664 and CIE 15 for the temperatures.
    var temperature: Double {
      switch illuminant {
      case 3, 17, 24: 2856
      case 2, 14: 4200
      case 1, 4, 9, 18, 20, 23: illuminant == 20 ? 5503 : illuminant == 18 ? 4874 : 5000
      case 10, 19, 21: illuminant == 19 ? 6774 : 6504
      case 11, 22: 7504
      case 12: 6430
      case 13: 5000
      case 15: 3450
      default: 5000
      }
    }
  }

  /// The multipliers of the camera's white balance for red, green and blue; nil if unknown.
  public var asShot: ColourMatrix.Vector?
  /// The multipliers of a white balance for daylight; nil if unknown.
  public var daylight: ColourMatrix.Vector?
  /// The matrix from XYZ under D65 to camera colours; nil if unknown.
  public var fromXYZ: ColourMatrix?
  /// The calibrations of a DNG file, one or two; empty for other files.
  public var calibrations: [Calibration]
  /// The gain of each channel that the camera applied before it stored the samples; from the tag
  /// AnalogBalance of a DNG file.
  public var analogBalance: ColourMatrix.Vector

  public init(
    asShot: ColourMatrix.Vector?, daylight: ColourMatrix.Vector?, fromXYZ: ColourMatrix?,
    calibrations: [Calibration] = [], analogBalance: ColourMatrix.Vector = .one
  ) {
    self.asShot = asShot
    self.daylight = daylight
    self.fromXYZ = fromXYZ
    self.calibrations = calibrations
    self.analogBalance = analogBalance
  }

  /// The conversion of a photo's colours to linear light of sRGB's primaries.
  public struct Conversion: Sendable, Hashable {
    /// The multipliers of red, green and blue that make the channels of white equal; the smallest
    /// is 1.
    public var multipliers: ColourMatrix.Vector
    /// The matrix from white-balanced camera colours to linear sRGB; white stays white.
    public var matrix: ColourMatrix
    /// The correlated colour temperature of the light in kelvin; nil if unknown.
    public var temperature: Double?
    /// True if the camera's white balance is unknown; daylight is then assumed.
    public var isDaylight: Bool
    /// True if nothing is known about the sensor's colours; they are then treated as sRGB.
    public var isGuess: Bool
  }

  /// The conversion for the light under which the photo was taken.
  public var conversion: Conversion {
    let isKnown = asShot != nil
    if let found = calibrated { return found }
    let (matrix, white) = fromXYZ.flatMap(Self.balanced) ?? (.identity, nil)
    let gains = asShot ?? daylight ?? white ?? .one
    return Conversion(
      multipliers: gains / gains.min(), matrix: matrix, temperature: nil, isDaylight: !isKnown,
      isGuess: white == nil)
  }

  /// The conversion computed from the calibrations of a DNG file; nil if none of them can be used.
  private var calibrated: Conversion? {
    guard !calibrations.isEmpty else { return nil }
    // Without a white balance, the neutral colour of D65 is assumed.
    var white = Primaries.d65
    if let asShot {
      var last = Primaries.d50
      for _ in 0..<30 {
        guard let inverse = interpolated(at: Self.temperature(last))?.camera.inverse else {
          return nil
        }
        let xyz = inverse(1 / asShot)
        let sum = xyz.sum()
        guard sum > 0, xyz.y > 0 else { return nil }
        white = SIMD2(xyz.x / sum, xyz.y / sum)
        if abs(white.x - last.x) + abs(white.y - last.y) < 1e-7 { break }
        last = white
      }
    }
    let temperature = Self.temperature(white)
    guard let parts = interpolated(at: temperature), let toXYZ = parts.camera.inverse else {
      return nil
    }
    let neutral = asShot.map { 1 / $0 } ?? parts.camera(Primaries.xyz(white))
    guard neutral.min() > 0 else { return nil }
    let d50 = Primaries.xyz(Primaries.d50)
    let toD50: ColourMatrix
    if let forward = parts.forward, let individual = parts.individual.inverse {
      toD50 = forward.after(.diagonal(1 / individual(neutral))).after(individual)
    } else {
      toD50 = Bradford.adaptation(from: Primaries.xyz(white), to: d50).after(toXYZ)
    }
    let toSRGB = SRGB.rgbFromXYZ.after(
      Bradford.adaptation(from: d50, to: Primaries.xyz(Primaries.d65)))
    let gains = 1 / neutral
    let multipliers = gains / gains.min()
    var matrix = toSRGB.after(toD50).after(.diagonal(1 / multipliers))
    // Scales the matrix so that white, (1, 1, 1) in white-balanced camera colours, becomes (1, 1,
    // 1) in sRGB. The value 1 is the lowest level at which a channel is clipped.
    let shown = matrix(.one)
    guard shown.min() > 0 else { return nil }
    matrix = ColourMatrix.diagonal(1 / shown).after(matrix)
    return Conversion(
      multipliers: multipliers, matrix: matrix, temperature: temperature, isDaylight: asShot == nil,
      isGuess: false)
  }

  /// The matrices at a colour temperature in kelvin: from XYZ to the camera's colours, the forward
  /// matrix, and from the reference camera to this one.
  ///
  /// Each matrix is interpolated linearly between two calibrations, by the inverse of the
  /// temperature.
  private func interpolated(
    at temperature: Double
  ) -> (camera: ColourMatrix, forward: ColourMatrix?, individual: ColourMatrix)? {
    let sorted = calibrations.sorted { $0.temperature < $1.temperature }
    guard let low = sorted.first, let high = sorted.last else { return nil }
    var part = 0.0
    if low.temperature < high.temperature {
      let place = (1 / low.temperature - 1 / temperature)
      part = min(1, max(0, place / (1 / low.temperature - 1 / high.temperature)))
    }
    let individual = ColourMatrix.diagonal(analogBalance)
      .after(low.individual.mixed(with: high.individual, part))
    let camera = individual.after(low.fromXYZ.mixed(with: high.fromXYZ, part))
    let forward: ColourMatrix? =
      if let a = low.forward, let b = high.forward { a.mixed(with: b, part) } else {
        low.forward ?? high.forward
      }
    return (camera, forward, individual)
  }

  /// The matrix from white-balanced camera colours to linear sRGB, and the white balance
  /// multipliers for D65, derived from a matrix for D65; nil if that matrix has no inverse.
  ///
  /// - Source: D. Coffin, dcraw 9.28: `cam_xyz_coeff`.
  private static func balanced(
    _ fromXYZ: ColourMatrix
  ) -> (ColourMatrix, ColourMatrix.Vector?)? {
    let fromRGB = fromXYZ.after(SRGB.xyzFromRGB)
    let white = fromRGB(.one)
    guard white.min() > 1e-5, let matrix = ColourMatrix.diagonal(1 / white).after(fromRGB).inverse
    else { return nil }
    return (matrix, 1 / white)
  }

  /// The correlated colour temperature, in kelvin, of a chromaticity (x, y).
  ///
  /// - Source: C. S. McCamy, "Correlated color temperature as an explicit function of chromaticity
  ///   coordinates", Color Research & Application 17, 1992.
  private static func temperature(_ white: SIMD2<Double>) -> Double {
    let n = (white.x - 0.3320) / (0.1858 - white.y)
    let kelvin = ((449 * n + 3525) * n + 6823.3) * n + 5520.33
    return min(50_000, max(1_500, kelvin.isFinite ? kelvin : 5_000))
  }
}

extension ColourMatrix {
  /// Interpolates linearly between this matrix (at `part` 0) and `other` (at `part` 1).
  fileprivate func mixed(with other: ColourMatrix, _ part: Double) -> ColourMatrix {
    let rows = zip(rows, other.rows).map { $0 + ($1 - $0) * part }
    return ColourMatrix(rows[0], rows[1], rows[2])
  }
}
