import PhotoRecipes
import TestSupport
import Testing

/// Squares with the mean colour of their pixels.
@Suite struct PixelateTests {
  @Test(arguments: [255, 65_535]) func eachSquareGetsTheMeanColourOfItsPixels(_ maximum: Int) throws
  {
    let photo = Samples.noise(22, 15, maximum: maximum)
    let found = try Pixelate.applied(to: photo, #""size": 5"#)
    for y in 0..<15 {
      for x in 0..<22 {
        let columns = x / 5 * 5..<min(22, x / 5 * 5 + 5)
        let pixels = (y / 5 * 5..<y / 5 * 5 + 5).flatMap { row in columns.map { photo[$0, row] } }
        for band in 0..<3 {
          let mean = Double(pixels.reduce(0) { $0 + $1[band] }) / Double(pixels.count)
          #expect(abs(Double(found[x, y][band]) - mean) <= 0.51, "\(x), \(y)")
        }
      }
    }
  }

  @Test func aSquareAsLargeAsThePhotoGetsThePhotosMeanColour() throws {
    let photo = Samples.edge(0.2, 0.8, 40, 20)
    let found = try Pixelate.applied(to: photo, #""size": 1000"#)
    #expect(Set(found.values) == [32_767] || Set(found.values) == [32_768])
    try Pixelate.expectNoChange(#""size": 1"#)
  }
}
