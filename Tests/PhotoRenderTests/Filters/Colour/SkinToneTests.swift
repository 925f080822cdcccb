import Notation
import PhotoRecipes
import TestSupport
import Testing

/// Gives skin a pleasing hue by correcting the colour of the light.
@Suite struct SkinToneTests {
  @Test func theSkinToneFilterMatchesColourScience() throws {
    for row in try OracleFile.rows("skin-tone.txt") {
      let numbers = row.dropFirst().compactMap { Double($0) }
      let settings =
        ##""colour": "#\##(row[0])", "strength": \##(numbers[0]), "warmth": \##(numbers[1])"##
      let found = try SkinTone.applied(toColours: [Array(numbers[2...4])], settings)[0]
      let wanted = numbers[5...].map { min(1, max(0, $0)) }
      #expect(found.isNear(wanted, within: 0.0005), "\(row): \(found)")
    }
  }

  /// A face in cold light from a window, in front of a wall, with a specular highlight on the face.
  private static let face = [142, 128, 134]
  private static let wall = [120, 130, 140]

  private static let photo = Samples(200, 100, maximum: 255) { x, y in
    if x == 100 && y == 50 { return [255, 255, 255] }
    return (80..<120).contains(x) && (30..<70).contains(y) ? face : wall
  }

  private static func developed(_ settings: String, rendering: String = "exact") throws -> Samples {
    try Samples(
      file: Studio.develop(
        photo.file(), #"[{"filter": "skinTone"\#(settings)}]"#, rendering: rendering))
  }

  private static func hue(_ pixel: [Int]) -> Lab {
    Lab(red: pixel[0], green: pixel[1], blue: pixel[2])
  }

  @Test(arguments: ["exact", "balanced"]) func skinInColdLightGetsThePreferredHue(
    _ rendering: String
  ) throws {
    let liked = Lab(l: 55, a: 16.7, b: 18.6)
    for settings in [
      #", "place": [0.5, 0.5], "strength": 1"#, #", "place": [0.45, 0.4], "strength": 1"#,
      ##", "colour": "#8e8086", "strength": 1"##,
    ] {
      let result = try Self.developed(settings, rendering: rendering)
      let found = Self.hue(result[90, 40])
      #expect(abs(found.a - liked.a) < 1.5 && abs(found.b - liked.b) < 1.5, "\(settings): \(found)")
      #expect(abs(found.l - 55) < 3)
      // The wall is in the same light, so it changes too.
      #expect(result[10, 10][2] < result[10, 10][0], "\(result[10, 10])")
    }
    let half = Self.hue(try Self.developed(#", "place": [0.5, 0.5]"#)[90, 40])
    #expect(half.b > Self.hue(Self.face).b + 4 && half.b < liked.b - 4, "\(half)")
  }

  @Test func aHigherWarmthMakesSkinMoreGolden() throws {
    let found = try [-1.0, 0, 1].map {
      Self.hue(
        try Self.developed(#", "place": [0.5, 0.5], "strength": 1, "warmth": \#($0)"#)[90, 40])
    }
    #expect(found[0].b < found[1].b && found[1].b < found[2].b)
    #expect(found[0].b / found[0].a < found[1].b / found[1].a)
    #expect(found[1].b / found[1].a < found[2].b / found[2].a)
  }

  /// Black areas, clipped areas and areas outside the photo contain no skin.
  ///
  /// A green cannot be skin in any light.
  @Test func aPositionWithoutSkinChangesThePhotoLittle() throws {
    for pixel in [[0, 0, 0], [255, 255, 255]] {
      let photo = try Samples.flat(pixel, 60, 40).file()
      #expect(
        try Studio.develop(photo, #"[{"filter": "skinTone", "place": [0.5, 0.5]}]"#)
          == Studio.develop(photo, "[]"))
    }
    #expect(try Self.developed(#", "place": [2, 2]"#) == Self.photo)
    let grey = try SkinTone.applied(
      toColours: [[0.5, 0.5, 0.5]], ##""colour": "#20c040", "strength": 1"##)[0]
    #expect(grey.min() ?? 0 > 0.25 && grey.max() ?? 1 < 0.75, "\(grey)")
    try SkinTone.expectNoChange(#""strength": 0"#)
  }

  @Test func aStepWithBothAPlaceAndAColourIsRefused() {
    #expect(throws: InvalidDocument.self) {
      try Studio.recipe(##"[{"filter": "skinTone", "place": [0.5, 0.5], "colour": "#c29682"}]"##)
    }
  }
}
