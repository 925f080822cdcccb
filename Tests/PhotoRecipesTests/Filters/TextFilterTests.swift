import Notation
import Testing

@testable import PhotoRecipes

@Suite struct TextFilterTests {
  @Test func aTooLongTextIsRefused() throws {
    func recipe(_ length: Int) -> RecipeText {
      let text = String(repeating: "x", count: length)
      return RecipeText(filters: #"[{"filter": "text", "content": "\#(text)"}]"#)
    }
    #expect(try recipe(5000).recipe().steps.count == 1)
    let found = diagnostics(recipe(5001).text).map(\.problem.message)
    #expect(found == ["found 5001 characters, expected at most 5000"])
  }
}
