import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// The filter's formula is `(in − black) ÷ (white − black)`, where black and white are quantiles.
@Suite struct AutoLevelsTests {
  private static let none = #""blackClip": 0, "whiteClip": 0"#

  @Test func thePhotosToneRangeIsStretchedToTheFullRange() throws {
    let greys = [0.2, 0.35, 0.5, 0.65, 0.8]
    let found = try AutoLevels.applied(toGreys: greys, Self.none)
    #expect(found.isNear([0, 0.25, 0.5, 0.75, 1], within: 0.001), "\(found)")
    let half = try AutoLevels.applied(toGreys: greys, Self.none + #", "strength": 0.5"#)
    // With half the strength, the range from 0.1 to 0.9 is stretched to 0…1.
    #expect(half.isNear(greys.map { ($0 - 0.1) / 0.8 }, within: 0.001), "\(half)")
  }

  @Test func channelsAreStretchedSeparatelyOnRequest() throws {
    let colours = [[0.1, 0.2, 0.4], [0.3, 0.5, 0.6], [0.5, 0.8, 0.9]]
    let apart = try AutoLevels.applied(toColours: colours, Self.none + #", "channels": "rgb""#)
    let wanted = [[0, 0, 0], [0.5, 0.5, 0.4], [1, 1, 1]]
    for (found, wanted) in zip(apart, wanted) { #expect(found.isNear(wanted, within: 0.001)) }
    // With `luma`, the same linear function applies to all three channels.
    let alike = try AutoLevels.applied(toColours: colours, Self.none)[1]
    #expect(abs((alike[1] - alike[0]) - (alike[2] - alike[1]) * 2) < 0.001, "\(alike)")
  }

  /// A tenth of the pixels at each end is clipped, so the range is 0.26 to 0.74.
  @Test func theRequestedFractionsOfPixelsAreClipped() throws {
    let greys = (0...400).map { 0.2 + 0.0015 * Double($0) }
    let found = try AutoLevels.applied(toGreys: greys, #""blackClip": 10, "whiteClip": 10"#)
    #expect(found.isNear(greys.map { min(1, max(0, ($0 - 0.26) / 0.48)) }, within: 0.004))
  }

  /// Channels of vivid colours are not clipped.
  ///
  /// The dark blue has the darkest luma, 0.2234, and the least channel, 0.04. Channels therefore become
  /// 0 only up to 0.04 − 2 ÷ 255 = 0.0322, and the red of the blue stays at a quarter of its
  /// distance from there.
  @Test func theLeastChannelOfVividColoursIsNotClipped() throws {
    let colours = [[0.04, 0.25, 0.5], [0.3, 0.3, 0.3], [0.5, 0.5, 0.5], [1, 1, 1]]
    let found = try AutoLevels.applied(toColours: colours, Self.none)
    let line = { (tone: Double) in (tone - 0.2234) / (1 - 0.2234) }
    let end = 0.04 - 2 / 255.0
    let (least, most) = ((0.04 - end) / 4, line(0.5))
    let over = 0.3 - end
    let grey = over / 4 * (1 + 4 * line(0.3) * line(0.3) / (over * over))
    let wanted = [
      [least, least + (most - least) * (0.25 - 0.04) / (0.5 - 0.04), most],
      [grey, grey, grey], [most, most, most], [1, 1, 1],
    ]
    for (found, wanted) in zip(found, wanted) {
      #expect(found.isNear(wanted, within: 0.003), "\(found), not \(wanted)")
    }
  }

  /// A dark blue sky over grey ground: the sky keeps its red and nearly its hue, and the ground gets
  /// the contrast of its own tones.
  @Test(arguments: ["autoLevels", "auto"])
  func darkBlueSkiesKeepTheirRed(_ filter: String) throws {
    let photo = Samples(300, 200) { x, y in
      if y < 120 { return [9 + y / 12, 62 + y / 4, 122 + y / 3] }
      return Array(repeating: 45 + (x * 7 + y * 13) % 190, count: 3)
    }
    let found = try Samples(file: Studio.develop(photo.file(), #"[{"filter": "\#(filter)"}]"#))
    var turn = 0.0
    for y in stride(from: 0, to: 120, by: 3) {
      for x in stride(from: 0, to: 300, by: 10) {
        #expect(found[x, y].min() ?? 0 > 0, "\(found[x, y])")
        let hues = [photo[x, y], found[x, y]].map { pixel in
          let lab = PointFormulas.oklab(pixel.map { Double($0) / 255 })
          return atan2(lab[2], lab[1]) * 180 / .pi
        }
        turn = max(turn, abs(remainder(hues[1] - hues[0], 360)))
      }
    }
    #expect(turn <= 4, "hues turn by \(turn) degrees")
  }

  /// An area of one tone does not become white as a whole.
  ///
  /// A wall, 1.3 % of the photo, has the tone of the white point, 183; a lamp is brighter. The darkest
  /// tone, 50, has 0.8 % of the pixels. The range is therefore 49 to 184, and the wall becomes 253.1.
  @Test func anAreaOfOneToneIsNotClipped() throws {
    let photo = Samples(400, 300) { x, y in
      if y >= 100 && y < 140 && x < 39 { return [183, 183, 183] }
      if y == 200 && x < 60 { return [230, 230, 230] }
      return Array(repeating: 50 + (x * 3 + y * 7) % 120, count: 3)
    }
    let found = try AutoLevels.applied(to: photo, "")
    #expect(found[20, 120, 0] == 253, "\(found[20, 120])")
    #expect(found[20, 200] == [255, 255, 255])
  }

  /// The range of 0.12 is 0.4 of the way from 0.1 to 0.15, so the points are 0.4 × 0.5 and 1 − 0.4 ×
  /// (1 − 0.62).
  @Test func theStretchOfNearlyFlatPhotosFadesIn() throws {
    let found = try AutoLevels.applied(toGreys: [0.5, 0.62], Self.none)
    let wanted = [0.5, 0.62].map { ($0 - 0.2) / (0.848 - 0.2) }
    #expect(found.isNear(wanted, within: 0.001), "\(found)")
  }

  /// A photo of one colour is as flat as one of one grey.
  @Test func aFlatPhotoStaysUnchanged() throws {
    #expect(try AutoLevels.applied(toGreys: [0.5, 0.55]).isNear([0.5, 0.55]))
    let skin = Samples(60, 40) { x, _ in [217, 166, 140 - x % 2] }
    #expect(try AutoLevels.applied(to: skin) == skin)
    try AutoLevels.expectNoChange(#""strength": 0"#)
  }
}
