import Foundation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing

/// Grain in whole renders.
@Suite struct GrainFilterTests {
  private static let grain = #"{"filter": "grain", "amount": 0.8, "size": 2.5, "seed": 9}"#

  private static func developed(
    _ photo: Samples, _ filters: String, rendering: String = "balanced"
  ) throws -> Samples {
    try Samples(file: Studio.develop(photo.file(), "[\(filters)]", rendering: rendering))
  }

  private static func deviation(_ values: [Int]) -> Double {
    let mean = Double(values.reduce(0, +)) / Double(values.count)
    let squares = values.map { pow(Double($0) - mean, 2) }.reduce(0, +)
    return (squares / Double(values.count)).squareRoot()
  }

  /// The optimiser moves a crop before the grain, and the grain in the cropped part stays the same.
  @Test func grainIsFixedToThePixelsOfThePhoto() throws {
    let photo = Samples.flat([120, 128, 140], 300, 200)
    let whole = try Self.developed(photo, Self.grain)
    for (crop, left, top) in [
      (#""left": 37, "top": 11"#, 37, 11), (#""left": 0, "top": 90"#, 0, 90),
    ] {
      let part = try Self.developed(
        photo, Self.grain + #", {"filter": "crop", \#(crop), "width": 150, "height": 80}"#)
      for y in 0..<80 { for x in 0..<150 { try #require(part[x, y] == whole[x + left, y + top]) } }
    }
    let turned = try Self.developed(photo, Self.grain + #", {"filter": "rotate", "angle": 90}"#)
    for y in 0..<300 { for x in 0..<200 { try #require(turned[x, y] == whole[y, 199 - x]) } }
    let flipped = try Self.developed(photo, Self.grain + #", {"filter": "flip"}"#)
    for y in 0..<200 { for x in 0..<300 { try #require(flipped[x, y] == whole[299 - x, y]) } }
  }

  /// The standard deviation is 0.12 × amount × 4 Y (1 − Y), and the mean does not change.
  ///
  /// Black and white stay unchanged.
  @Test(arguments: [0, 30, 128, 220, 255]) func grainIsStrongestInTheMidtones(_ grey: Int) throws {
    let result = try Self.developed(Samples.flat([grey, grey, grey], 400, 400), Self.grain)
    let y = Double(grey) / 255
    let expected = 255 * 0.12 * 0.8 * 4 * y * (1 - y)
    let reds = result.values.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    #expect(abs(Self.deviation(reds) - expected) <= 0.06 * expected + 0.05)
    let mean = Double(reds.reduce(0, +)) / Double(reds.count)
    #expect(abs(mean - Double(grey)) < 0.6)
  }

  @Test func anotherSeedGivesAnotherGrain() throws {
    let photo = Samples.flat([128, 128, 128], 64, 64)
    let one = try Self.developed(photo, #"{"filter": "grain", "amount": 1, "seed": 1}"#)
    #expect(try one == Self.developed(photo, #"{"filter": "grain", "amount": 1, "seed": 1}"#))
    #expect(try one != Self.developed(photo, #"{"filter": "grain", "amount": 1, "seed": 2}"#))
  }

  /// A reduction after the grain is not moved before it, and averages the grain.
  ///
  /// If the reduction were moved, the grain would be as strong as without a reduction.
  @Test func aReductionIsNotMovedBeforeGrain() throws {
    let photo = Samples.flat([128, 128, 128], 800, 800)
    let steps = Self.grain + #", {"filter": "resize", "width": 100}"#
    let reduced = try Self.developed(photo, steps)
    #expect(try reduced == Self.developed(photo, steps, rendering: "exact"))
    #expect(Self.deviation(reduced.values) < 0.5 * 255 * 0.12 * 0.8)
  }

  /// Grain whose size is a part of the frame looks as strong on a photo as on a photo of four times
  /// the size that is reduced afterwards.
  ///
  /// On 400 pixels, the sizes are 0.3 to 2 pixels.
  @Test(arguments: TestVolume.one(of: 2, [0.075, 0.125, 0.175, 0.25, 0.5]))
  func grainIsAsStrongAsInAReducedLargePhoto(_ percent: Double) throws {
    let step = #"{"filter": "grain", "amount": 1, "size": "\#(percent)%", "seed": 3}"#
    func reds(_ width: Int, _ more: String) throws -> Samples {
      try Self.developed(Samples.flat([128, 128, 128], width, width), step + more)
    }
    let small = 255 * (try reds(400, "").deviation)
    let large = try reds(1600, "")
    let reduced = 255 * large.reduced(by: 4).deviation
    #expect(abs(small / reduced - 1) <= 0.15, "\(small) \(reduced)")
  }

  @Test func anAmountOfZeroDoesNotChangeThePhoto() throws {
    try GrainFilter.expectNoChange(#""amount": 0, "seed": 3"#)
  }
}
