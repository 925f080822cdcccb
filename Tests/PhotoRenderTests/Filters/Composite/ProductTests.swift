import PhotoRecipes
import TestSupport
import Testing

/// The photo of a product is trimmed, its background is made white, and the product is centred in a
/// frame.
@Suite struct ProductTests {
  @Test func aProductIsCentredOnAWhiteSquare() throws {
    var photo = Samples.flat([230, 225, 220], 100, 60)
    for y in 20..<50 {
      for x in 50..<70 {
        photo.values.replaceSubrange((y * 100 + x) * 3..<(y * 100 + x) * 3 + 3, with: [20, 30, 40])
      }
    }
    photo.values.replaceSubrange(
      (30 * 100 + 60) * 3..<(30 * 100 + 60) * 3 + 3, with: [230, 225, 220])
    let result = try Product.applied(to: photo, #""margin": 5"#)
    #expect(result.width == 40 && result.height == 40 && result.bands == 3)
    #expect(result[0, 0] == [255, 255, 255] && result[9, 20] == [255, 255, 255])
    #expect(result[10, 5] != [255, 255, 255] && result[29, 34] != [255, 255, 255])
    // The hole in the product shows the background, which is now white.
    #expect(result[20, 15].allSatisfy { $0 >= 254 })
  }

  /// The whitened background is white, and the colour around the product is the given one, although
  /// the gain pushes brighter pixels above white.
  @Test(arguments: [("#ffffff", [255, 255, 255]), ("#ff0000", [255, 0, 0])])
  func aWhitenedBackgroundIsNotDarkenedAgain(_ colour: String, _ around: [Int]) throws {
    let photo = Samples(100, 80) { x, y in
      if (40..<60).contains(x) && (30..<50).contains(y) { return [250, 250, 250] }
      return (30..<70).contains(x) && (20..<60).contains(y) ? [20, 30, 40] : [240, 240, 240]
    }
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "filters": [
         {"filter": "product", "margin": 10, "threshold": 0.3, "colour": "\(colour)"},
         {"filter": "border", "width": 2, "colour": "\(colour)"}],
         "outputs": [{"name": "out", "format": "png"}]}
        """)
    let file = try #require(Studio.render(photo.file(), recipe).files["out"])
    let result = try Samples(file: file)
    #expect(result.width == 64 && result.height == 64)
    #expect(result[0, 0] == around && result[5, 5] == around && result[11, 32] == around)
    // The light part of the product was brighter than the background.
    #expect(result[32, 32] == [255, 255, 255])
    #expect(result[15, 15] != around && result[15, 15].max() ?? 255 < 60)
  }

  /// In a large photo, which the filter measures at a reduced size, no part of the product is cut
  /// off.
  @Test func noEdgeOfAProductInALargePhotoIsCutOff() throws {
    let photo = Samples(1600, 1400) { x, y in
      let (right, down) = (Double(x) - 803.3, Double(y) - 697.7)
      return right * right + down * down < 503.4 * 503.4 ? [20, 30, 160] : [238, 238, 238]
    }
    let found = try Product.applied(to: photo, #""margin": 40, "whiten": false"#)
    let disc = (0..<photo.width * photo.height).count { photo.values[3 * $0] < 100 }
    #expect((0..<found.width * found.height).count { found.values[3 * $0] < 100 } == disc)
    #expect(found.width < 1007 + 80 + 16)
  }

  /// A product of 60 × 40 pixels gets a margin of ten pixels above and below, and wider ones at the
  /// sides for the aspect ratio 2:1.
  @Test func theBackgroundCanBeKeptAndTheAspectRatioChosen() throws {
    let photo = Samples(100, 80) { x, y in
      (20..<80).contains(x) && (20..<60).contains(y) ? [20, 30, 40] : [200, 190, 180]
    }
    let found = try Product.applied(
      to: photo, ##""margin": 10, "aspect": "2:1", "whiten": false, "colour": "#c8beb4""##)
    #expect(found.width == 120 && found.height == 60)
    #expect(found[0, 0] == [200, 190, 180] && found[60, 30] == [20, 30, 40])
    #expect(found[29, 30] == [200, 190, 180] && found[30, 10] == [20, 30, 40])
  }
}
