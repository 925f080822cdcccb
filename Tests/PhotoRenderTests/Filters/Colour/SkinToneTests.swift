import Foundation
import Notation
import PhotoRecipes
import TestSupport
import Testing

/// Gives skin a pleasing hue, and keeps greys.
@Suite struct SkinToneTests {
  /// The table has the change of colours like skin, from colour-science.
  @Test func theSkinToneFilterMatchesColourScience() throws {
    for row in try OracleFile.rows("skin-tone.txt") {
      let numbers = row.dropFirst().compactMap { Double($0) }
      let settings =
        ##""colour": "#\##(row[0])", "strength": \##(numbers[0]), "warmth": \##(numbers[1])"##
      let found = try SkinTone.applied(toColours: [Array(numbers[2...4])], settings)[0]
      let wanted = numbers[5...].map { min(1, max(0, $0)) }
      // The matrices of OKLab are rounded, which counts where a colour changes much.
      #expect(found.isNear(wanted, within: 0.001), "\(row): \(found)")
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
      // The skin shows that the light is cold, so the wall changes, too.
      #expect(result[10, 10, 2] < result[10, 10, 0], "\(result[10, 10])")
    }
    let half = Self.hue(try Self.developed(#", "place": [0.5, 0.5]"#)[90, 40])
    #expect(half.b > Self.hue(Self.face).b + 4 && half.b < liked.b - 4, "\(half)")
  }

  /// Greys, also slightly coloured ones, keep their hue and their levels if the skin is not in
  /// strongly coloured light.
  @Test(arguments: ["#c29682", "#e0a070", "#503020", "#c07a50", "#735244"])
  func greysDoNotTurn(_ skin: String) throws {
    let greys = [0.1, 0.3, 0.5, 0.7, 0.9]
    for cast in [[0.0, 0, 0], [0.004, 0, 0], [0, 0, 0.004], [-0.004, 0, 0]] {
      let colours = greys.map { grey in cast.map { grey + $0 } }
      let found = try SkinTone.applied(
        toColours: colours, #""colour": "\#(skin)", "strength": 1"#)
      for (before, after) in zip(colours, found) {
        for (old, new) in zip(before, after) { #expect(abs(old - new) <= 3.0 / 255, "\(after)") }
        let light = after.map(PointFormulas.light)
        let even = light.reduce(0, +) / (3 * light.map { $0 * $0 }.reduce(0, +)).squareRoot()
        #expect(acos(min(1, even * 3.squareRoot())) * 180 / .pi <= 1.5, "\(after)")
      }
    }
  }

  /// Tones between grey and skin keep their order, and no step between them becomes much larger: skin
  /// gets no patches.
  @Test(arguments: [##""#c29682""##, ##""#c07a50""##, ##""#d0b0a0""##, ##""#8e8086""##])
  func theTransitionToGreyHasNoReversals(_ skin: String) throws {
    let hex = try #require(Int(skin.dropFirst(2).dropLast(), radix: 16))
    let pure = [16, 8, 0].map { Double(hex >> $0 & 255) / 255 }
    let grey = pure.reduce(0, +) / 3
    let colours = (0...60).map { step in pure.map { grey + ($0 - grey) * Double(step) / 40 } }
    let found = try SkinTone.applied(toColours: colours, #""colour": \#(skin), "strength": 1"#)
    let before = colours.map(PointFormulas.oklab)
    let after = found.map(PointFormulas.oklab)
    for index in 1...60 {
      func step(_ labs: [[Double]]) -> Double {
        hypot(labs[index][1] - labs[index - 1][1], labs[index][2] - labs[index - 1][2])
      }
      #expect(step(after) <= 2.6 * step(before) + 0.0005, "\(index)")
    }
  }

  private static func hue(_ colour: [Double]) -> Double {
    let lab = PointFormulas.oklab(colour)
    return atan2(lab[2], lab[1]) * 180 / .pi
  }

  /// A face in red light, and parts of the same skin in other light: no hue passes the preferred one
  /// and turns green, and hues between them keep their order.
  @Test(arguments: [0.5, 1]) func skinInOtherLightDoesNotPassThePreferredHue(
    _ strength: Double
  ) throws {
    let (face, arm) = ([210.0, 98, 67], [232.0, 180, 132])
    let colours = (0...40).map { step in
      zip(face, arm).map { ($0 + ($1 - $0) * Double(step) / 20) / 255 }
    }.filter { ($0.max() ?? 1) < 1 }
    let found = try SkinTone.applied(
      toColours: colours, ##""colour": "#d26243", "strength": \##(strength)"##)
    let preferred = 43.0
    for (before, after) in zip(colours, found) {
      let (old, new) = (abs(Self.hue(before) - preferred), abs(Self.hue(after) - preferred))
      #expect(new <= old + 2.5, "\(before) → \(after)")
    }
    let hues = found.map(Self.hue)
    #expect(zip(hues, hues.dropFirst()).allSatisfy { $1 > $0 - 0.2 }, "\(hues)")
    #expect(abs(hues[0] - preferred) < abs(Self.hue(colours[0]) - preferred) - 0.5 * strength)
  }

  /// Purple cloth and leaves beside a face in red light stay.
  @Test func clothAndLeavesBesideAFaceInRedLightStay() throws {
    let others = [
      [150, 95, 110], [110, 140, 60], [60, 110, 60], [190, 200, 190], [40, 50, 120],
    ]
    let colours = others.map { $0.map { Double($0) / 255 } }
    let found = try SkinTone.applied(
      toColours: colours, ##""colour": "#d26243", "strength": 1"##)
    for (before, after) in zip(colours, found) {
      for (old, new) in zip(before, after) { #expect(abs(old - new) <= 2.0 / 255, "\(after)") }
    }
  }

  /// A wish for warmer skin is no sign of coloured light, so greys stay.
  @Test(arguments: [-1, -0.5, 0.5, 1]) func warmthKeepsGreys(_ warmth: Double) throws {
    let greys = [0.2, 0.5, 0.74, 0.97].map { [$0, $0, $0] }
    let found = try SkinTone.applied(
      toColours: greys, ##""colour": "#c89078", "strength": 1, "warmth": \##(warmth)"##)
    for (before, after) in zip(greys, found) {
      for (old, new) in zip(before, after) { #expect(abs(old - new) <= 2.0 / 255, "\(after)") }
    }
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

  /// Black, grey and clipped areas, and areas outside the photo contain no skin.
  ///
  /// A green cannot be skin in any light.
  @Test func aPositionWithoutSkinChangesThePhotoLittle() throws {
    for pixel in [[0, 0, 0], [128, 128, 128], [130, 129, 130], [255, 255, 255]] {
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
