import PhotoRecipes
import TestSupport
import Testing

/// Each channel as a sum of all three channels in linear light.
@Suite struct ChannelMixerTests {
  @Test(arguments: PointOracle.cases(of: ChannelMixer.self))
  func theChannelMixerFilterMatchesItsFormula(_ test: PointOracle.Case) throws {
    try test.expectFormula()
  }

  @Test func channelsCanBeSwapped() throws {
    let found = try ChannelMixer.applied(
      toColours: [[0.8, 0.3, 0.1]], #""redRed": 0, "redBlue": 1, "blueBlue": 0, "blueRed": 1"#)
    #expect(found[0].isNear([0.1, 0.3, 0.8]), "\(found)")
  }

  @Test func constantsAreAddedInLinearLight() throws {
    let found = try ChannelMixer.applied(
      toColours: [[0, 0, 0]], #""redConstant": 0.5, "blueConstant": -0.5"#)
    #expect(found[0].isNear([PointFormulas.display(0.5), 0, 0]), "\(found)")
  }

  @Test func preservingLuminosityKeepsTheBrightnessOfGreys() throws {
    let settings = #""redGreen": 1.3, "blueRed": -0.4, "greenBlue": 2, "preserveLuminosity": true"#
    #expect(try ChannelMixer.applied(toGreys: [0, 0.3, 1], settings).isNear([0, 0.3, 1]))
    ChannelMixer.expectRefusal(
      of: #""greenRed": -1, "preserveLuminosity": true"#, "factors of 'green' add up to 0")
    try ChannelMixer.expectNoChange(#""redRed": 1, "greenGreen": 1, "blueBlue": 1"#)
  }
}
