import PhotoRecipes
import Testing

@Suite struct FirstTests {
  @Test func engineHasAVersion() { #expect(SemanticVersion("0.1.0") != nil) }
}
