import Notation
import PhotoRecipes
import TestRandom
import Testing

@Suite struct RecipeMutationTests {
  @Test func mutationsOfARecipeNeverEndTheProcess() {
    var generator = SeededGenerator(seed: 1)
    let seeds = [
      RecipeText(
        filters: #"[{ "filter": "crop", "left": 0.1, "width": "50%" }, { "filter": "exposure" }]"#,
        more: #""parameters": { "e": { "default": 16e2, "min": -1 } }, "title": "\u00e9😀 ${e}", "#
      ).text,
      RecipeText(
        outputs:
          ##"[{ "name": "a", "format": "png", "path": "{root}/{date:yyyy}/{digest:8}.png" }]"##,
        more: #""select": { "include": ["**/*.{a,b}"], "where": { "date": ">=2024-01" } }, "#
          + #""handles": ["a.b@^1.2.3"], "#
      ).text,
    ].map { Array($0.utf8) }
    let pieces = [
      "{", "}", "[", "]", "\"", ",", ":", "\\u", "\\ud800", "1e9", "-", ".", "${", "é", "0",
    ]
    .map { Array($0.utf8) }
    for round in 0..<20_000 {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(contentsOf: pieces.randomElement(using: &generator) ?? [], at: index)
        default: bytes.removeSubrange(index..<min(bytes.count, index + 20))
        }
      }
      let source = SourceText(name: "recipe.json", bytes: bytes)
      do throws(InvalidDocument) {
        let document = try RecipeDocument(source) { file throws(Problem) in
          throw .missingFile(file.path)
        }
        _ = try document.recipe().recipe.graph
      } catch {
        #expect(!error.message.isEmpty)
      }
    }
  }
}
