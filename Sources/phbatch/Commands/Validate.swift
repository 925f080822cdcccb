import ArgumentParser
import Notation
import PhotoBatch
import PhotoRecipes
import SystemPackage

struct Validate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check recipes, and report all their errors at once.")

  @Argument(help: "The recipes, JSON files.", completion: .file(extensions: ["json"]))
  var recipes: [String]

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Set a parameter, or a setting of a step as step.setting.", valueName: "key=value"))
  var assignments: [String] = []

  @OptionGroup var limits: LimitOptions

  func run() async throws {
    var options = limits.options
    options.assignments = try assignments.map { try Assignment(argument: $0) }
    var failure: PhotoBatch.ExitCode?
    for recipe in recipes {
      do {
        let document = try RecipeDocument(contentsOf: FilePath(recipe))
        let resolved = try document.recipe(assignments: options.assignments).recipe
        try await document.checkFiles(of: resolved, options: options)
        Message.result("\(recipe): \(resolved.identifier) \(resolved.version) is valid")
      } catch let error as any UserError {
        Message.error(error)
        let code = PhotoBatch.ExitCode(error)
        failure = code.rawValue > failure?.rawValue ?? 0 ? code : failure
      }
    }
    if let failure { throw failure }
  }
}
