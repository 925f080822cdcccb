import PhotoRecipes
import TestSupport
import Testing

/// Grey as a weighted sum of linear light.
@Suite struct BlackAndWhiteTests {
  @Test(arguments: PointOracle.cases(of: BlackAndWhite.self))
  func theBlackAndWhiteFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  @Test func greysAreWeightedSumsOfLinearLight() throws {
    try BlackAndWhite.expect("", PointFormulas.blackAndWhite(1, [0.2126, 0.7152, 0.0722]))
    try BlackAndWhite.expect(
      #""intensity": 0.6, "red": 1.5, "green": 0.2, "blue": -0.7"#,
      PointFormulas.blackAndWhite(0.6, [1.5, 0.2, -0.7]))
  }

  /// With the weights of a red filter, red becomes white, and green and blue become black.
  @Test func aRedFilterBrightensRedAndDarkensGreenAndBlue() throws {
    let found = try BlackAndWhite.applied(
      toColours: [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.4, 0.4, 0.4]],
      #""red": 1, "green": 0, "blue": 0"#)
    #expect(found[0] == [1, 1, 1] && found[1] == [0, 0, 0] && found[2] == [0, 0, 0])
    #expect(found[3].isNear([0.4, 0.4, 0.4]))
    try BlackAndWhite.expectNoChange(#""intensity": 0"#)
  }

  /// With a blue filter of full strength, only blue light contributes.
  @Test func aBlueFilterOfFullStrengthLetsOnlyBlueLightThrough() throws {
    let found = try BlackAndWhite.applied(
      toColours: [[0.7, 0.5, 0.3], [1, 1, 0]], #""hue": 240, "strength": 1"#)
    #expect(found[0].isNear([0.3, 0.3, 0.3]) && found[1].isNear([0, 0, 0]), "\(found)")
    BlackAndWhite.expectRefusal(
      of: #""red": 1, "green": 1, "blue": -1, "hue": 240, "strength": 1"#, "with the colour filter")
  }

  /// With the setting `neutral` at 1, the result is the square root of the grey.
  ///
  /// `tone` applies the filter `contrast`, which does not change 0, ½ and 1.
  @Test func neutralAndToneChangeTheGreysByTheirCurves() throws {
    let greys = try BlackAndWhite.applied(toGreys: [0, 0.25, 0.49, 1], #""neutral": 1"#)
    #expect(greys.isNear([0, 0.5, 0.7, 1]), "\(greys)")
    let tones = [0, 0.3, 0.5, 0.8, 1]
    let hard = try BlackAndWhite.applied(toGreys: tones, #""tone": 0.6"#)
    #expect(hard.isNear(try Contrast.applied(toGreys: tones, #""amount": 0.6"#)), "\(hard)")
  }

  @Test func grainEqualsThatOfTheGrainFilter() throws {
    let photo = Samples.flat([120, 120, 120], 60, 40, maximum: 255)
    let found = try BlackAndWhite.applied(to: photo, #""grain": 0.5"#)
    #expect(try found.difference(from: GrainFilter.applied(to: photo, #""amount": 0.5"#)) <= 1)
    #expect(found.deviation > 0.03)
    // The intensity also applies to the grain, so at 0 the photo stays unchanged.
    try BlackAndWhite.expectNoChange(#""intensity": 0, "grain": 1, "tone": 1, "neutral": 1"#)
  }

  @Test func weightsOfZeroAreRefused() {
    BlackAndWhite.expectRefusal(of: #""red": -1, "green": 0.5, "blue": 0.5"#, "add up to 0")
  }
}
