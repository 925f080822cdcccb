import Notation
import PhotoRecipes
import Testing

@testable import PhotoStudio

@Suite struct GreyLightTests {
  private static func light(_ text: String) throws -> JSON? {
    GreyLight(try #require(JSONParser.parse(SourceText(name: "grey", text: text)).json))?.json
  }

  /// The colour of a place after the white balance, by the filter's own matrix.
  private static func balanced(
    _ colour: SIMD3<Double>, temperature: Double, tint: Double
  ) -> SIMD3<Double> {
    let xyz = Bradford.adaptation(
      from: Illuminant(temperature: temperature, tint: tint).xyz,
      to: Illuminant(temperature: 6500, tint: 0).xyz)
    return SRGB.rgbFromXYZ(xyz(SRGB.xyzFromRGB(colour)))
  }

  @Test(arguments: [
    SIMD3(0.5, 0.4, 0.25), SIMD3(0.2, 0.25, 0.4), SIMD3(0.3, 0.35, 0.3), SIMD3(0.01, 0.01, 0.011),
  ])
  func thePlaceBecomesGrey(_ colour: SIMD3<Double>) throws {
    let json = try #require(
      try Self.light("{\"colour\": [\(colour.x), \(colour.y), \(colour.z)]}"))
    let grey = Self.balanced(
      colour, temperature: try #require(json["temperature"]?.number),
      tint: try #require(json["tint"]?.number))
    let mean = (grey.x + grey.y + grey.z) / 3
    for channel in [grey.x, grey.y, grey.z] { #expect(abs(channel / mean - 1) < 0.003) }
  }

  @Test func greyNeedsNoCorrection() throws {
    let json = try #require(try Self.light("{\"colour\": [0.18, 0.18, 0.18]}"))
    #expect(abs(try #require(json["temperature"]?.number) - 6500) < 5)
    #expect(abs(try #require(json["tint"]?.number)) < 0.2)
  }

  @Test(arguments: [
    "{\"colour\": [0, 0, 0]}", "{\"colour\": [1, 1]}", "{\"colour\": [1, 1, 2]}", "{}",
    "{\"colour\": [-1, 1, 1]}", "{\"colour\": [\"a\", 1, 1]}",
  ])
  func otherValuesHaveNoLight(_ text: String) throws { #expect(try Self.light(text) == nil) }
}
