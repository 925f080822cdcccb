import Notation
import PhotoRecipes
import Testing

@testable import PhotoBatch

@Suite struct RecipeReaderTests {
  private static func resolved(_ texts: [String]) throws -> JSON {
    let steps = texts.enumerated().map { number, text in
      #"{"filter": "text", "id": "text-\#(number)", "content": "\#(text)"}"#
    }.joined(separator: ", ")
    let source = SourceText(
      name: "recipe.json",
      bytes: Array(
        """
        {"identifier": "org.example.texts", "version": "1.0.0", "variant": "print",
         "filters": [\(steps)],
         "outputs": [{"name": "web", "format": "jpeg", "path": "{stem}.{variant}.{ext}"}]}
        """.utf8))
    return try RecipeDocument(source) { file throws(Problem) in throw .missingFile(file.path) }
      .recipe().recipe.resolved
  }

  /// The reader returns the parts of the recipe that it has read last, not those of an earlier
  /// recipe.
  @Test func theReaderReturnsThePartsOfTheRecipeThatItReadLast() throws {
    let (one, two) = (try Self.resolved(["a"]), try Self.resolved(["b", "c", "b"]))
    var reader = RecipeReader()
    #expect(reader.parts().isEmpty)
    for (json, words) in [(one, ["a"]), (one, ["a"]), (two, ["b", "c"]), (one, ["a"])] {
      let order = reader.order(json)
      let recipe = try #require(order).recipe
      #expect(recipe.resolved == json)
      #expect(reader.parts() == recipe.parts)
      #expect(reader.parts().map(\.place.text) == words)
    }
    #expect(reader.order(.string("none")) == nil)
    #expect(reader.parts().count == 1)
  }
}
