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

  @Test func aFlatPhotoStaysUnchanged() throws {
    #expect(try AutoLevels.applied(toGreys: [0.5, 0.55]).isNear([0.5, 0.55]))
    try AutoLevels.expectNoChange(#""strength": 0"#)
  }
}
