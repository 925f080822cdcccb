import Foundation
import Notation
import TestRandom
import Testing

@testable import PhotoRecipes

@Suite struct ResolvedTests {
  static let shipped: [String] = {
    let folder = URL(filePath: #filePath).appending(path: "../../../../Recipes").standardizedFileURL
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json") && $0 != "recipe.schema.json" }.sorted()
      .map { folder.appending(path: $0).path }
  }()

  @Test func fourteenRecipesAreShipped() { #expect(Self.shipped.count == 14) }

  @Test(arguments: shipped)
  func resolvedShippedRecipesAreReadUnchanged(_ path: String) throws {
    let source = SourceText(name: path, bytes: Array(try Data(contentsOf: URL(filePath: path))))
    let document = try RecipeDocument(source) { file throws(Problem) in
      throw .missingFile(file.path)
    }
    let recipe = try document.recipe().recipe
    let resolved = recipe.resolved
    let again = try Recipe(resolved: resolved)
    #expect(again.resolved == resolved)
    #expect(again.graph == recipe.graph)
    #expect(
      again.fingerprint(files: [:]).compactText == recipe.fingerprint(files: [:]).compactText)
    for file in recipe.namedFiles { #expect(FileManager.default.fileExists(atPath: file.location)) }
  }

  @Test(arguments: Catalog.filters.map { $0.name })
  func writtenFiltersWithRandomSettingsAreReadUnchanged(_ name: String) throws {
    var generator = SeededGenerator(seed: 7)
    let type = try #require(Catalog.filter(named: name))
    var count = 0
    for _ in 0..<(TestVolume.isWhole ? 200 : 40) {
      guard let step = RandomFilter.step(type, &generator) else { continue }
      count += 1
      var recipe = try RecipeText().recipe()
      recipe.steps = [step]
      let text = recipe.resolved.canonicalText
      let read = try #require(JSONParser.parse(SourceText(name: "r", text: text)).json)
      let again = try Recipe(resolved: read)
      #expect(again.resolved.canonicalText == text)
      #expect(again.graph == recipe.graph)
    }
    #expect(count > (TestVolume.isWhole ? 20 : 4))
  }

  @Test func writtenOutputsAreReadUnchanged() throws {
    let outputs = """
      [{"name":"a","format":"jpeg","quality":7,"subsampling":"4:2:0","progressive":true,"current":true,
        "path":"{root}/{name}.{ext}","profile":"x.icc","intent":"absolute","metadata":"none","dpi":72.5},
       {"name":"b","format":"png","bitDepth":16,"compression":9},
       {"name":"c","format":"tiff","compression":"lzw","predictor":"none","tile":true},
       {"name":"d","format":"webp","lossless":true,"effort":6,"profile":"preserve"}]
      """
    let recipe = try RecipeText(outputs: outputs, more: #""rendering": "exact", "title": "t", "#)
      .recipe()
    let again = try Recipe(resolved: recipe.resolved)
    #expect(again.resolved == recipe.resolved)
    #expect(again.rendering == .exact)
    #expect(again.outputs[1].format as? PNGFormat == recipe.outputs[1].format as? PNGFormat)
    #expect(again.outputs[0].profile == recipe.outputs[0].profile)
  }
}
