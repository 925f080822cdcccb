import PhotoRecipes
import TestSupport
import Testing

/// A flip mirrors the photo: only the positions of the pixels change.
@Suite struct FlipTests {
  @Test func aFlipSwapsTheSidesOfThePhoto() throws {
    for bands in 3...4 {
      let photo = Samples.noise(31, 20, bands: bands)
      let across = try Flip.applied(to: photo)
      #expect(across == Samples(31, 20) { x, y in photo[30 - x, y] })
      let down = try Flip.applied(to: photo, #""direction": "vertical""#)
      #expect(down == Samples(31, 20) { x, y in photo[x, 19 - y] })
    }
  }
}
