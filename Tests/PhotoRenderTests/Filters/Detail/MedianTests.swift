import PhotoRecipes
import TestSupport
import Testing

/// The median of the values in a square.
@Suite struct MedianTests {
  @Test func eachPixelBecomesTheMedianOfNineValues() throws {
    let levels = [10, 90, 40, 70, 200, 20, 60, 80, 30]
    let photo = Samples(3, 3) { x, y in [levels[3 * y + x], 255 - levels[3 * y + x], 7] }
    #expect(try Median.applied(to: photo)[1, 1] == [60, 195, 7])
  }

  /// A speck of two pixels covers less than half of any square.
  @Test(arguments: [1, 5]) func theMedianRemovesSpecksAndKeepsEdges(_ radius: Int) throws {
    let edge = Samples.edge(0.2, 0.8, 60, 40)
    var photo = edge
    for place in [20 * 60 + 12, 20 * 60 + 13, 30 * 60 + 50] {
      photo.values.replaceSubrange(3 * place..<3 * place + 3, with: [65_535, 0, 65_535])
    }
    #expect(try Median.applied(to: photo, #""radius": \#(radius)"#) == edge)
  }
}
