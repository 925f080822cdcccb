import Foundation
import Notation
import PhotoRecipes
import TestSupport
import Testing

/// A position in the photo, or a colour, that becomes grey.
@Suite struct GreyPointTests {
  /// The colour of a card that is grey in the scene, lit by light through a leaf.
  private static let card = [150, 180, 120]
  private static let wall = [220, 60, 40]

  /// A card in the middle of a wall, with a specular highlight on the card.
  private static func photo() -> Samples {
    func pixel(_ x: Int, _ y: Int) -> [Int] {
      if (x, y) == (100, 50) { return [255, 255, 255] }
      return (80..<120).contains(x) && (30..<70).contains(y) ? card : wall
    }
    return Samples(
      width: 200, height: 100, bands: 3, maximum: 255,
      values: (0..<100).flatMap { y in (0..<200).flatMap { x in pixel(x, y) } })
  }

  private static func developed(_ settings: String, rendering: String = "exact") throws -> Samples {
    let file = try Studio.develop(
      photo().file(), #"[{"filter": "greyPoint"\#(settings)}]"#, rendering: rendering)
    return try Samples(file: file)
  }

  private static func isGrey(_ pixel: [Int]) -> Bool {
    (pixel.max() ?? 0) - (pixel.min() ?? 0) <= 1
  }

  @Test(arguments: ["exact", "balanced"]) func theChosenPositionBecomesGrey(
    _ rendering: String
  ) throws {
    for settings in ["", #", "place": [0.45, 0.4]"#, ##", "colour": "#96b478""##] {
      let result = try Self.developed(settings, rendering: rendering)
      let card = result[90, 40]
      #expect(Self.isGrey(card), "\(settings): \(card)")
      // White keeps its luminance, so the card has about the same brightness.
      #expect(abs(card[1] - 168) <= 8, "\(card)")
      #expect(!Self.isGrey(result[10, 10]))
    }
  }

  @Test func onlyPixelsAroundTheChosenPositionAreMeasured() throws {
    let result = try Self.developed(#", "place": [0.1, 0.1], "radius": 0.05"#)
    #expect(Self.isGrey(result[10, 10]), "\(result[10, 10])")
    #expect(!Self.isGrey(result[90, 40]))
  }

  @Test func strengthAppliesAFractionOfTheCorrection() throws {
    func cast(_ strength: String) throws -> Int {
      let card = try Self.developed(#", "strength": \#(strength)"#)[90, 40]
      return (card.max() ?? 0) - (card.min() ?? 0)
    }
    let casts = try ["0", "0.4", "0.8", "1"].map(cast)
    #expect(casts[0] == 60 && zip(casts, casts.dropFirst()).allSatisfy { $0 > $1 }, "\(casts)")
  }

  /// Black areas, clipped areas and areas outside the photo have no colour to correct.
  @Test(arguments: [[0, 0, 0], [255, 255, 255]])
  func aPositionWithoutAUsableColourDoesNotChangeThePhoto(
    _ pixel: [Int]
  ) throws {
    let photo = try Samples.flat(pixel, 60, 40).file()
    let plain = try Studio.develop(photo, "[]")
    #expect(try Studio.develop(photo, #"[{"filter": "greyPoint"}]"#) == plain)
    let outside = try Self.developed(#", "place": [2, 2]"#)
    #expect(outside == Self.photo())
  }

  @Test func aStepWithBothAPlaceAndAColourIsRefused() {
    #expect(throws: InvalidDocument.self) {
      try Studio.recipe(
        ##"[{"filter": "greyPoint", "place": [0.5, 0.5], "colour": "#808070"}]"##)
    }
  }
}
