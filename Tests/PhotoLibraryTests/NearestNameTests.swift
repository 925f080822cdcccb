import PhotoRecipes
import Testing

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("widht", "width"), ("Stem", "stem"), ("outptu", "output"), ("variants", "variant"),
    ("xyz", nil), ("", nil),
  ])
  func nearest(_ misspelt: String, _ expected: String?) {
    #expect(["stem", "width", "height", "output", "variant"].nearest(to: misspelt) == expected)
  }
}
