import Foundation
import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoRender

/// The colour noise of raw photos.
@Suite struct ColourNoiseTests {
  /// A photo of grey steps with the noise of a sensor.
  private static func photo(_ noise: SensorNoise) -> SyntheticDNG {
    SyntheticDNG.greySteps(slope: noise.slope, floor: noise.floor)
  }

  private static func development(_ file: SyntheticDNG) throws -> RawDevelopment {
    try RawDevelopment(.bytes(file.bytes), RawSettings())
  }

  @Test(arguments: [(1e-4, 1e-6), (8e-4, 4e-6)])
  func theNoiseOfTheSensorIsMeasuredInARawPhoto(_ slope: Double, _ floor: Double) throws {
    let file = Self.photo(SensorNoise(slope: slope, floor: floor))
    let found = try #require(
      try Self.development(file).noise(of: .bytes(file.bytes), RawSamples()))
    for tone in [0.03, 0.1, 0.3] {
      let ratio = (found.slope * tone + found.floor) / (slope * tone + floor)
      #expect(abs(ratio - 1) < 0.15, "\(tone): \(ratio)")
    }
  }

  /// The standard deviations of luma and of colour in the four steps.
  private static func deviations(
    _ file: SyntheticDNG, _ noise: String, _ filters: String = "[]"
  ) throws -> [(luma: Double, colour: Double)] {
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0",
         "inputs": {"raw": {"look": "neutral", "colourNoise": "\(noise)"}},
         "filters": \(filters), "outputs": [{"name": "out", "format": "png"}]}
        """)
    let picture = try Samples(
      file: #require(try Studio.render(file.bytes, recipe).files["out"]))
    let step = picture.width / 4
    return (0..<4).map { index in
      var (luma, colour, squares, colours, count) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for y in (picture.height / 8)..<(picture.height * 7 / 8) {
        for x in (index * step + step / 6)..<(index * step + step * 5 / 6) {
          let pixel = picture[x, y].map(Double.init)
          let grey = (pixel[0] + pixel[1] + pixel[2]) / 3
          let other = pixel[0] - pixel[2]
          luma += grey
          squares += grey * grey
          colour += other
          colours += other * other
          count += 1
        }
      }
      return (
        (squares / count - luma * luma / count / count).squareRoot(),
        (colours / count - colour * colour / count / count).squareRoot()
      )
    }
  }

  @Test func colourNoiseOfARawPhotoIsReduced() throws {
    let file = Self.photo(SensorNoise(slope: 8e-4, floor: 4e-6))
    let (kept, reduced) = (
      try Self.deviations(file, "keep"), try Self.deviations(file, "reduce")
    )
    for (before, after) in zip(kept, reduced) {
      #expect(after.colour < 0.5 * before.colour, "\(after.colour), before \(before.colour)")
      #expect(after.luma > 0.9 * before.luma)
    }
  }

  @Test func rawPhotosWithLittleNoiseStayUnchanged() throws {
    let file = Self.photo(SensorNoise(slope: 5e-6, floor: 0))
    let (kept, reduced) = (
      try Self.deviations(file, "keep"), try Self.deviations(file, "reduce")
    )
    for (before, after) in zip(kept, reduced) { #expect(after == before) }
  }

  /// A reduction in size is done before the noise removal, so there is less noise to remove.
  @Test func aReductionInSizeIsDoneBeforeTheNoiseRemoval() throws {
    let file = Self.photo(SensorNoise(slope: 8e-4, floor: 4e-6))
    let filters = #"[{"filter": "resize", "longEdge": 320}]"#
    let (kept, reduced) = (
      try Self.deviations(file, "keep", filters), try Self.deviations(file, "reduce", filters)
    )
    for (before, after) in zip(kept, reduced) { #expect(after.colour < 0.75 * before.colour) }
  }

  @Test func theNoiseThatARawFileStatesIsRead() throws {
    var file = Self.photo(SensorNoise(slope: 0, floor: 0))
    file.floats[51_041] = [1.0 / 1_024, 1.0 / 65_536]
    let stated = try #require(try Self.development(file).colourNoise?.stated)
    #expect(stated == SensorNoise(slope: 1.0 / 1_024, floor: 1.0 / 65_536))
    file.floats[51_041] = [.nan, 4e-6]
    #expect(try Self.development(file).colourNoise?.stated == nil)
  }
}
