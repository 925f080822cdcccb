import PhotoRecipes
import TestSupport
import Testing

/// The filter's formula is `(in − least) ÷ (greatest − least)`, with the extremes over all
/// channels.
@Suite struct NormalizeTests {
  @Test func theExtremesOfAllChannelsBecomeBlackAndWhite() throws {
    let found = try Normalize.applied(toColours: [[0.2, 0.3, 0.4], [0.5, 0.6, 0.7]])
    #expect(found[0].isNear([0, 0.2, 0.4], within: 0.001), "\(found)")
    #expect(found[1].isNear([0.6, 0.8, 1], within: 0.001), "\(found)")
  }

  @Test func aFlatPhotoStaysUnchanged() throws {
    #expect(try Normalize.applied(toGreys: [0.4, 0.49]).isNear([0.4, 0.49]))
    #expect(try Normalize.applied(toGreys: [0.4, 0.551]).isNear([0, 1], within: 0.001))
  }

  @Test func aPhotoWithTheFullRangeStaysUnchanged() throws {
    let found = try Normalize.applied(toGreys: [0, 0.3, 0.8, 1])
    #expect(found.isNear([0, 0.3, 0.8, 1]), "\(found)")
    try Normalize.expectNoChange(#""strength": 0"#)
  }
}
