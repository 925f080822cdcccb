import PhotoRecipes
import TestSupport
import Testing

/// Sizes of results, and pixels that a resize must not change.
@Suite struct ResizeFilterTests {
  @Test(arguments: [
    (#""width": 30"#, 30, 20), (#""height": 10"#, 15, 10), (#""width": 30, "height": 10"#, 15, 10),
    (#""width": 30, "height": 10, "fit": "outside""#, 30, 20),
    (#""width": 30, "height": 10, "fit": "cover""#, 30, 10),
    (#""width": 30, "height": 10, "fit": "exact""#, 30, 10), (#""longEdge": 12"#, 12, 8),
    (#""shortEdge": 12"#, 18, 12), (#""percent": 50"#, 30, 20), (#""megapixels": 0.0006"#, 30, 20),
    (#""width": 90"#, 60, 40), (#""width": 90, "enlarge": true"#, 90, 60),
  ])
  func resultsHaveTheRequestedSizes(_ settings: String, _ width: Int, _ height: Int) throws {
    // A photo of one colour keeps this colour with any kernel, up to its edges.
    for kernel in ["lanczos3", "linear", "nearest"] {
      let found = try ResizeFilter.applied(
        to: .flat([200, 90, 13], 60, 40), settings + #", "kernel": "\#(kernel)""#)
      #expect(found == .flat([200, 90, 13], width, height), "\(kernel)")
    }
  }

  /// Averaging black and white pixels in linear light gives a brighter grey than averaging encoded
  /// values.
  @Test func linearResizingAveragesLight() throws {
    let photo = Samples(64, 64, maximum: 65_535) { x, y in
      Array(repeating: (x + y) % 2 == 0 ? 65_535 : 0, count: 3)
    }
    func middle(_ settings: String) throws -> Double {
      let found = try ResizeFilter.applied(to: photo, #""width": 8\#(settings)"#)
      return Double(found[4, 4, 1]) / 65_535
    }
    #expect(try abs(middle("") - 0.5) < 0.01)
    #expect(try abs(middle(#", "linear": true"#) - PointFormulas.display(0.5)) < 0.01)
  }

  @Test func resizeRequiresExactlyOneValidSize() {
    ResizeFilter.expectRefusal(of: "", "'resize' has no size")
    ResizeFilter.expectRefusal(of: #""width": 9, "longEdge": 9"#, "has 2 different sizes")
    ResizeFilter.expectRefusal(of: #""longEdge": 0"#, "size of 'resize' is 0")
    ResizeFilter.expectRefusal(of: #""width": 9, "fit": "cover""#, "needs width and height")
  }
}
