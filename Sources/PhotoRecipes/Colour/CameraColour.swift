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
    /// The matrix from the colours of the model's reference camera to the colours of the individual
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
    public var temperature: Double {
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
  /// The white, with Y = 1, of the light under which the photo was taken, if the file states it in
  /// place of multipliers; otherwise nil.
  public var statedWhite: ColourMatrix.Vector?
  /// The multipliers of a white balance for daylight; nil if unknown.
  public var daylight: ColourMatrix.Vector?
  /// The matrix from XYZ under D65 to camera colours; nil if unknown.
  public var fromXYZ: ColourMatrix?
  /// The calibrations of a DNG file, one or two; empty for other files.
  public var calibrations: [Calibration]
  /// The gain of each channel that the camera applied before it stored the samples: the tag
  /// AnalogBalance of a DNG file, or the white balance of a camera that stores balanced samples.
  public var analogBalance: ColourMatrix.Vector

  public init(
    asShot: ColourMatrix.Vector?, statedWhite: ColourMatrix.Vector? = nil,
    daylight: ColourMatrix.Vector?, fromXYZ: ColourMatrix?,
    calibrations: [Calibration] = [], analogBalance: ColourMatrix.Vector = .one
  ) {
    self.asShot = asShot
    self.statedWhite = statedWhite
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
    /// The light for which white is balanced; nil if the sensor's colours are unknown.
    public var light: Illuminant?
    /// The light's correlated colour temperature in kelvin, between two calibrations of a DNG file;
    /// nil for other files.
    public var temperature: Double?
    /// True if the camera's white balance is unknown; daylight is then assumed.
    public var isDaylight: Bool
    /// True if nothing is known about the sensor's colours; they are then treated as sRGB.
    public var isGuess: Bool
  }

  /// The conversion for the light under which the photo was taken.
  public var conversion: Conversion { conversion(for: nil) }

  /// The conversion for a light; nil means the light of the camera's own white balance.
  ///
  /// The light has no effect if nothing is known about the sensor's colours.
  public func conversion(for light: Illuminant?) -> Conversion {
    if let found = calibrated(light) { return found }
    let stored = fromXYZ.map { ColourMatrix.diagonal(analogBalance).after($0) }
    guard let fromXYZ = stored, let (matrix, white) = Self.balanced(fromXYZ) else {
      let gains = asShot ?? daylight ?? .one
      return Conversion(
        multipliers: gains / gains.min(), matrix: .identity, light: nil, temperature: nil,
        isDaylight: asShot == nil, isGuess: true)
    }
    var gains = asShot ?? daylight ?? white
    if let light {
      let neutral = Self.limited(fromXYZ(light.xyz))
      if neutral.min() > 0 { gains = 1 / neutral }
    }
    let seen = fromXYZ.inverse?(1 / gains)
    return Conversion(
      multipliers: gains / gains.min(), matrix: matrix,
      light: light ?? seen.flatMap { $0.min() > 0 ? Illuminant(white: $0) : nil },
      temperature: nil, isDaylight: asShot == nil && light == nil, isGuess: false)
  }

  /// The neutral colour with its least channel raised to at least a thirtieth of its largest
  /// channel.
  ///
  /// For very warm light, a camera's matrix can give a neutral colour with a blue of 0 or less.
  private static func limited(_ neutral: ColourMatrix.Vector) -> ColourMatrix.Vector {
    pointwiseMax(neutral, .init(repeating: neutral.max() / 30))
  }

  /// The conversion computed from the calibrations of a DNG file; nil if none of them can be used.
  private func calibrated(_ light: Illuminant?) -> Conversion? {
    guard !calibrations.isEmpty, let white = light?.xyz ?? asShotWhite else { return nil }
    let balance = light ?? Illuminant(white: white)
    let temperature = balance.temperature
    guard let parts = interpolated(at: temperature), let toXYZ = parts.camera.inverse else {
      return nil
    }
    let known = light == nil ? asShot.map { 1 / $0 } : nil
    let neutral = known ?? Self.limited(parts.camera(white))
    guard neutral.min() > 0 else { return nil }
    let d50 = Primaries.xyz(Primaries.d50)
    let toD50: ColourMatrix
    if let forward = parts.forward, let individual = parts.individual.inverse {
      toD50 = forward.after(.diagonal(1 / individual(neutral))).after(individual)
    } else {
      toD50 = Bradford.adaptation(from: white, to: d50).after(toXYZ)
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
      multipliers: multipliers, matrix: matrix, light: balance, temperature: temperature,
      isDaylight: asShot == nil && statedWhite == nil && light == nil, isGuess: false)
  }

  /// The white, with Y = 1, of the light for which the camera balanced the photo, by the
  /// calibrations of a DNG file; D65 without a white balance, nil if the calibrations cannot be
  /// used.
  private var asShotWhite: ColourMatrix.Vector? {
    guard let asShot else { return statedWhite ?? Primaries.xyz(Primaries.d65) }
    // The matrix depends on the temperature, and the temperature on the matrix, so the white is
    // found by iteration.
    var white = Primaries.xyz(Primaries.d50)
    for _ in 0..<30 {
      let temperature = Illuminant(white: white).temperature
      guard let inverse = interpolated(at: temperature)?.camera.inverse else { return nil }
      let xyz = inverse(1 / asShot)
      guard xyz.sum() > 0, xyz.y > 0 else { return nil }
      let next = xyz / xyz.y
      let change = next - white
      white = next
      if (change * change).sum() < 1e-14 { break }
    }
    return white
  }

  /// The matrices at a colour temperature in kelvin: from XYZ to the camera's colours, the forward
  /// matrix, and from the reference camera to this one.
  ///
  /// Each matrix is interpolated linearly between two calibrations, by the inverse of the
  /// temperature.
  private func interpolated(
    at temperature: Double
  ) -> (camera: ColourMatrix, forward: ColourMatrix?, individual: ColourMatrix)? {
    guard let low = calibrations.first, let high = calibrations.last else { return nil }
    let part = shareOfLast(at: temperature)
    let individual = ColourMatrix.diagonal(analogBalance)
      .after(low.individual.mixed(with: high.individual, part))
    let camera = individual.after(low.fromXYZ.mixed(with: high.fromXYZ, part))
    let forward: ColourMatrix? =
      if let a = low.forward, let b = high.forward { a.mixed(with: b, part) } else {
        low.forward ?? high.forward
      }
    return (camera, forward, individual)
  }

  /// The weight of the last calibration at a colour temperature in kelvin, 0…1.
  ///
  /// The weight of the first calibration is 1 minus this weight.
  public func shareOfLast(at temperature: Double) -> Double {
    guard let first = calibrations.first?.temperature, let last = calibrations.last?.temperature,
      first != last
    else { return 0 }
    return min(1, max(0, (1 / first - 1 / temperature) / (1 / first - 1 / last)))
  }

  /// The matrix from white-balanced camera colours to linear sRGB, and the white balance
  /// multipliers for D65, derived from a matrix for D65; nil if that matrix has no inverse.
  ///
  /// - Source: D. Coffin, dcraw 9.28: `cam_xyz_coeff`.
  private static func balanced(
    _ fromXYZ: ColourMatrix
  ) -> (ColourMatrix, ColourMatrix.Vector)? {
    let fromRGB = fromXYZ.after(SRGB.xyzFromRGB)
    let white = fromRGB(.one)
    guard white.min() > 1e-5, let matrix = ColourMatrix.diagonal(1 / white).after(fromRGB).inverse
    else { return nil }
    return (matrix, 1 / white)
  }
}

extension ColourMatrix {
  /// Interpolates linearly between this matrix (at `part` 0) and `other` (at `part` 1).
  fileprivate func mixed(with other: ColourMatrix, _ part: Double) -> ColourMatrix {
    let rows = zip(rows, other.rows).map { $0 + ($1 - $0) * part }
    return ColourMatrix(rows[0], rows[1], rows[2])
  }
}
