import Foundation
import TestSupport
import Testing

/// Runs the recipes in the folder `Recipes`, which are part of the product.
@Suite struct ShippedRecipeTests {
  /// Runs the `optimize-` recipes twice over one library; they write a tree with the names of the
  /// photos.
  @Test func theShippedOptimizeRecipesMakeASmallerTree() throws {
    let place = try Workplace([])
    try place.addPhoto("a.jpg", width: 400, height: 300)
    try place.addPhoto("trip/b.png", width: 300, height: 400)
    let recipes = try Self.shipped { $0.hasPrefix("optimize-") }
    #expect(!recipes.isEmpty)
    for word in ["1 rendered", "1 up-to-date"] {
      for recipe in recipes {
        let result = try Command.run([
          "run", recipe, place.library, "--output", place.path("smaller"),
        ])
        #expect(result.code == 0 && result.output.hasPrefix(word), "\(recipe): \(result.output)")
      }
    }
    for name in ["a.jpg", "trip/b.png"] {
      let count = try place.folder.read("smaller/\(name)").count
      #expect(try count > 0 && count <= place.folder.read("photos/\(name)").count)
    }
  }

  /// Runs all other shipped recipes twice over one library.
  @Test func allOtherShippedRecipesCanBeRunOverOneLibrary() throws {
    let place = try Workplace([])
    try place.addPhoto("a.jpg", width: 400, height: 300)
    try place.addPhoto("trip/b.png", width: 300, height: 400)
    let originals = try place.snapshot()
    let recipes = try Self.shipped { !$0.hasPrefix("optimize-") }
    #expect(!recipes.isEmpty)
    for round in 1...2 {
      let before = try place.snapshot()
      for recipe in recipes {
        let result = try Command.run(["run", recipe, place.library])
        #expect(result.code == 0, "\(recipe): \(result.messages)")
        let isForRaw = recipe.hasSuffix("/raw-develop.json")
        let word =
          isForRaw ? "2 not-selected" : round == 1 ? "2 rendered" : "2 up-to-date\n"
        #expect(result.output.hasPrefix(word), "\(recipe): \(result.output)")
      }
      if round == 2 { #expect(try place.snapshot() == before) }
    }
    let after = try place.snapshot()
    #expect(originals.allSatisfy { $1.mode & S_IFMT == S_IFDIR || after[$0] == $1 })
    // The rendition has the size of the original, and is not enlarged to 45 cm.
    let sidecar = try JSONSerialization.jsonObject(with: Data(try place.read("a.jpg.phbatch.json")))
    let adjustments = try #require((sidecar as? [String: Any])?["adjustments"] as? [[String: Any]])
    let print = adjustments.first { $0["variant"] as? String == "print" }
    let rendition = (print?["renditions"] as? [[String: Any]])?.first
    #expect(rendition?["width"] as? Int == 400)
    #expect(rendition?["height"] as? Int == 300)
  }

  /// The shipped recipes for which `isWanted` is true.
  ///
  /// Recipes that edit the photo itself come first, so that the variants that start from it are up
  /// to date after one round.
  private static func shipped(_ isWanted: (String) -> Bool) throws -> [String] {
    let folder = URL(filePath: #filePath).appending(path: "../../../../Recipes").standardizedFileURL
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let recipes = names.filter {
      $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json") && isWanted($0)
    }
    let paths = recipes.map { folder.appending(path: $0).path }
    let isVariant = try paths.map {
      let recipe = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: $0)))
      return (recipe as? [String: Any])?["variant"] != nil
    }
    return [false, true].flatMap { wanted in
      zip(paths, isVariant).filter { $0.1 == wanted }.map(\.0)
    }
  }
}
