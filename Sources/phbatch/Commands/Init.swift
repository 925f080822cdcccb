import ArgumentParser
import FoundationEssentials
import Glibc
import Notation
import PhotoBatch
import PhotoRecipes
import SystemPackage

struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write an example recipe, with its schema beside it.")

  @Argument(help: "The recipe's file.")
  var recipe = "recipe.json"

  func run() throws {
    let path = FilePath(recipe)
    let schema = path.removingLastComponent().appending("recipe.schema.json")
    try Self.write(Self.example, to: path)
    try Self.write(RecipeSchema.json.canonicalText, to: schema, mayExist: true)
    Message.result("wrote \(path) and \(schema)")
    Message.result("try it: phbatch run \(path) FOLDER")
  }

  private static func write(_ text: String, to path: FilePath, mayExist: Bool = false) throws {
    let exists = FileManager.default.fileExists(atPath: path.string)
    if exists && !mayExist {
      throw UnwritableFile(message: "'\(path)' already exists", hint: "give another file")
    }
    let folder = path.removingLastComponent()
    do {
      if !folder.isEmpty {
        try FileManager.default.createDirectory(
          atPath: folder.string, withIntermediateDirectories: true)
      }
      try Data(text.utf8).write(to: URL(filePath: path.string), options: .atomic)
    } catch {
      throw UnwritableFile(message: "'\(path)' cannot be written", hint: "check the folder")
    }
  }

  /// The example recipe that `init` writes, the same as in the README.
  private static let example = """
    {
      "$schema": "recipe.schema.json",
      "identifier": "org.example.web-gallery",
      "version": "1.0.0",
      "variant": "web",
      "from": "current",
      "parameters": { "edge": { "default": 1600, "min": 16, "max": 16384 } },
      "filters": [
        { "filter": "exposure", "stops": 0.3 },
        { "filter": "whiteBalance", "temperature": 7200 },
        { "filter": "vignette", "intensity": -0.3, "opacity": 0.8 }
      ],
      "outputs": [
        { "name": "web", "format": "webp", "quality": 80,
          "filters": [
            { "filter": "resize", "longEdge": "${edge}" },
            { "filter": "sharpen", "amount": 0.4 }
          ] }
      ]
    }

    """
}

/// The error that a file cannot be written, or exists and must not be replaced.
private struct UnwritableFile: CommandError {
  let message: String
  let hint: String
  var code: PhotoBatch.ExitCode { .cannotCreate }
}
