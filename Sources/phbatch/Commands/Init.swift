import ArgumentParser
import Foundation
import Notation
import PhotoBatch
import PhotoRecipes
import SystemPackage

/// The `init` command.
struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write an example recipe, with its schema beside it.")

  @Argument(help: "The recipe's file.")
  var recipe = "recipe.json"

  func run() throws {
    let path = FilePath(recipe)
    let schema = path.removingLastComponent().appending("recipe.schema.json")
    try Self.write(Self.example, to: path)
    try Self.write(RecipeSchema.json.canonicalText, to: schema, mayExist: true)
    print("wrote \(path) and \(schema)")
    print("try it: phbatch run \(path) FOLDER")
  }

  private static func write(_ text: String, to path: FilePath, mayExist: Bool = false) throws {
    let exists = FileManager.default.fileExists(atPath: path.string)
    if exists && !mayExist {
      throw MissingInput("'\(path)' already exists", hint: "give another file")
    }
    do { try Data(text.utf8).write(to: URL(filePath: path.string), options: .atomic) } catch {
      throw MissingInput("'\(path)' could not be written", hint: "check the folder")
    }
  }

  private static let example = """
    {
      "$schema": "recipe.schema.json",
      "identifier": "org.example.my-recipe",
      "version": "1.0.0",
      "title": "My recipe",
      "variant": "web",
      "from": "current",
      "filters": [
        { "filter": "exposure", "stops": 0.2 },
        { "filter": "vibrance", "amount": 0.2 }
      ],
      "outputs": [
        {
          "name": "web",
          "format": "jpeg",
          "quality": 82,
          "filters": [
            { "filter": "resize", "longEdge": 1600 },
            { "filter": "sharpen", "amount": 0.4 }
          ]
        }
      ]
    }

    """
}
