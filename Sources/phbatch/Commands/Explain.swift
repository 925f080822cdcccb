import ArgumentParser
import PhotoBatch
import PhotoRecipes
import SystemPackage

struct Explain: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show the operations that a recipe is compiled to, for any photo or for one.")

  @Argument(help: "The recipe, a JSON file.", completion: .file(extensions: ["json"]))
  var recipe: String

  @Argument(help: "A photo; only its header is read.", completion: .file())
  var photo: String?

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Set a parameter, or a setting of a step as step.setting.", valueName: "key=value"))
  var assignments: [String] = []

  @Option(help: "The format of the result: text, json or dot.")
  var format = ExplanationFormat.text

  @OptionGroup var limits: LimitOptions

  func run() async throws {
    let explanation = try await Explanation(
      recipe: FilePath(recipe), photo: photo.map { FilePath($0) },
      assignments: assignments.map { try Assignment(argument: $0) }, options: limits.options)
    Message.document(explanation.text(format))
  }
}
