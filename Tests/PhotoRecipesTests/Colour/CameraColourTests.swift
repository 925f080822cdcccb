import Testing

@testable import PhotoRecipes

@Suite struct CameraColourTests {
  /// The camera matrix of the Nikon D5000 for the illuminant D65, from Adobe's DNG files.
  private static let d65 = ColourMatrix(
    .init(0.7309, -0.1403, -0.0519), .init(-0.8474, 1.6008, 0.2622),
    .init(-0.2433, 0.2826, 0.8064))

  /// The XYZ coordinates of the white D65, with Y = 1.
  private static let white = Primaries.xyz(Primaries.d65)

  private static func calibration(
    _ illuminant: Int, _ matrix: ColourMatrix
  ) -> CameraColour.Calibration {
    .init(illuminant: illuminant, fromXYZ: matrix, forward: nil, individual: .identity)
  }

  @Test func aNeutralObjectIsRenderedWhite() {
    let neutral = Self.d65(Self.white)
    let colours = [
      CameraColour(asShot: 1 / neutral, daylight: nil, fromXYZ: Self.d65),
      CameraColour(
        asShot: 1 / neutral, daylight: nil, fromXYZ: nil,
        calibrations: [Self.calibration(21, Self.d65)]),
      CameraColour(
        asShot: 1 / neutral * .init(1.3, 1, 0.8), daylight: nil, fromXYZ: nil,
        calibrations: [Self.calibration(17, Self.d65), Self.calibration(21, Self.d65)]),
    ]
    for colour in colours {
      let conversion = colour.conversion
      #expect(conversion.multipliers.min() == 1)
      #expect(!conversion.isGuess && !conversion.isDaylight)
      let shown = conversion.matrix(.one) - .one
      #expect((shown * shown).sum() < 1e-12)
    }
  }

  /// Under D65, a fixed camera matrix and a DNG calibration with the same matrix give the same
  /// colours.
  @Test func aFixedMatrixAndACalibrationGiveTheSameColours() {
    let neutral = Self.d65(Self.white)
    let one = CameraColour(asShot: 1 / neutral, daylight: nil, fromXYZ: Self.d65).conversion
    let two = CameraColour(
      asShot: 1 / neutral, daylight: nil, fromXYZ: nil,
      calibrations: [Self.calibration(21, Self.d65)]
    ).conversion
    #expect(abs((two.temperature ?? 0) - 6504) < 30)
    for (a, b) in zip(one.matrix.rows, two.matrix.rows) {
      let difference = a - b
      #expect((difference * difference).sum() < 1e-4)
    }
  }

  @Test func theTemperatureOfALightIsFoundBetweenTwoCalibrations() {
    // The camera's matrix under light A differs from its matrix under D65, so the interpolated
    // matrix depends on the colour temperature to be found.
    let warm = ColourMatrix.diagonal(.init(1.4, 1, 0.6)).after(Self.d65)
    let a = Primaries.xyz(.init(0.44757, 0.40745))
    let colour = CameraColour(
      asShot: 1 / warm(a), daylight: nil, fromXYZ: nil,
      calibrations: [Self.calibration(21, Self.d65), Self.calibration(17, warm)])
    #expect(abs((colour.conversion.temperature ?? 0) - 2856) < 20)
  }

  /// The white balance multipliers for a light make its white neutral; the matrix is interpolated
  /// between the calibrations.
  @Test(arguments: [2_400.0, 3_200, 4_500, 5_500, 7_000], [-20.0, 0, 35])
  func multipliersForALightMakeItsWhiteNeutral(_ kelvin: Double, _ tint: Double) throws {
    let warm = ColourMatrix.diagonal(.init(1.4, 1, 0.6)).after(Self.d65)
    let light = Illuminant(temperature: kelvin, tint: tint)
    // The temperatures of light A and D65 in the EXIF specification.
    let share = min(1, max(0, (1 / 2856 - 1 / kelvin) / (1 / 2856 - 1 / 6504)))
    let white = light.xyz
    let neutral = warm(white) * (1 - share) + Self.d65(white) * share
    let wanted = neutral.max() / neutral
    let orders = [
      [Self.calibration(21, Self.d65), Self.calibration(17, warm)],
      [Self.calibration(17, warm), Self.calibration(21, Self.d65)],
    ]
    for calibrations in orders {
      let colour = CameraColour(
        asShot: .one, daylight: nil, fromXYZ: nil, calibrations: calibrations)
      let found = colour.conversion(for: light)
      let difference = found.multipliers - wanted
      #expect((difference * difference).sum() < 1e-8, "\(found.multipliers), \(wanted)")
      // The light that was found for these multipliers is the same again.
      let shot = CameraColour(
        asShot: found.multipliers, daylight: nil, fromXYZ: nil, calibrations: calibrations)
      let seen = try #require(shot.conversion.light)
      #expect(abs(seen.temperature / kelvin - 1) < 0.002 && abs(seen.tint - tint) < 0.2, "\(seen)")
    }
    let single = CameraColour(asShot: .one, daylight: nil, fromXYZ: Self.d65)
    let balanced = single.conversion(for: light)
    let ratio = balanced.multipliers * Self.d65(white)
    #expect(ratio.max() / ratio.min() - 1 < 1e-9)
    let again = CameraColour(asShot: balanced.multipliers, daylight: nil, fromXYZ: Self.d65)
    let seen = try #require(again.conversion.light)
    #expect(abs(seen.temperature / kelvin - 1) < 0.002 && abs(seen.tint - tint) < 0.2, "\(seen)")
  }

  @Test func aCameraWithoutColourDataGetsGuessedColours() {
    let nothing = CameraColour(asShot: nil, daylight: nil, fromXYZ: nil).conversion
    #expect(nothing.isGuess && nothing.isDaylight)
    #expect(nothing.matrix == .identity && nothing.multipliers == .one)
    let zeros = CameraColour(
      asShot: .one, daylight: nil,
      fromXYZ: ColourMatrix(.zero, .zero, .zero)
    ).conversion
    #expect(zeros.isGuess && zeros.matrix == .identity)
  }
}
