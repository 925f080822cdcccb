import PhotoRecipes
import TestSupport
import Testing

/// The adaptation from the colour of a light to neutral light.
@Suite struct WhiteBalanceTests {
  @Test func theWhiteBalanceFilterMatchesColourScience() throws {
    for row in try OracleFile.rows("white-balance.txt") {
      let numbers = row.compactMap { Double($0) }
      let settings = #""temperature": \#(numbers[0]), "tint": \#(numbers[1])"#
      let found = try WhiteBalance.applied(toColours: [Array(numbers[2...4])], settings)[0]
      let wanted = numbers[5...].map { min(1, max(0, $0)) }
      #expect(found.isNear(wanted, within: 0.0025), "\(row): \(found)")
    }
  }

  /// A photo in warm light becomes bluer, and one in green light more magenta.
  @Test func theColourOfTheLightIsCompensated() throws {
    let grey = [[0.5, 0.5, 0.5]]
    let cooled = try WhiteBalance.applied(toColours: grey, #""temperature": 4000"#)[0]
    #expect(cooled[2] > cooled[1] && cooled[1] > cooled[0], "\(cooled)")
    let warmed = try WhiteBalance.applied(toColours: grey, #""temperature": 9000"#)[0]
    #expect(warmed[2] < warmed[1] && warmed[1] < warmed[0], "\(warmed)")
    let pink = try WhiteBalance.applied(toColours: grey, #""tint": 60"#)[0]
    #expect(pink[1] < pink[0] && pink[1] < pink[2], "\(pink)")
  }

  /// Photos that are not raw are balanced for 6500 K, so that `kelvin` is the same as
  /// `temperature`.
  @Test func kelvinAndTemperatureGiveTheSameResult() throws {
    let colours = [[0.5, 0.5, 0.5], [0.7, 0.4, 0.2]]
    let one = try WhiteBalance.applied(toColours: colours, #""temperature": 4200, "tint": 10"#)
    let other = try WhiteBalance.applied(toColours: colours, #""kelvin": 4200, "tint": 10"#)
    #expect(one == other)
    #expect(throws: (any Error).self) {
      try Studio.recipe(#"[{"filter": "whiteBalance", "kelvin": 4200, "temperature": 5000}]"#)
    }
  }

  @Test func aTemperatureOf6500KelvinDoesNotChangeThePhoto() throws {
    try WhiteBalance.expectNoChange(#""temperature": 6500, "tint": 0"#)
  }
}
