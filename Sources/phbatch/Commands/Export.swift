import ArgumentParser
import Notation
import PhotoBatch
import PhotoImport
import PhotoRecipes
import SystemPackage

/// The `export` command.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a recipe's colour decision for other programs.",
    discussion: """
      The recipe must have one `cdl` step in its shared chain. The result is an ASC CDL file; its \
      extension, .cc, .ccc or .cdl, tells the kind of document. Other steps are not exported.
      """)

  @Argument(help: "The recipe, a JSON file.", completion: .file(extensions: ["json"]))
  var recipe: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write. Without this option, a .cc document is written to stdout.",
      valueName: "file"),
    completion: .file(extensions: ["cc", "ccc", "cdl"]))
  var output: String?

  @Flag(help: "Replace the file if it exists.")
  var yes = false

  func run() throws {
    let recipe = try RecipeDocument(contentsOf: FilePath(recipe)).recipe().recipe
    let kind = try output.map { output throws(ColourDecisionExportError) in
      let ending = FilePath(output).extension ?? ""
      guard let kind = ColourDecision.Document(rawValue: ending.lowercased()) else {
        throw .unknownKind(ending)
      }
      return kind
    }
    let decision = try ColourDecision(of: recipe)
    for step in recipe.steps where step.isEnabled && !(step.filter is CDL) {
      Message.say("step '\(step.id)' is not exported")
    }
    let text = decision.text(as: kind ?? .correction)
    guard let output else { return Message.document(text) }
    try NewFile(path: FilePath(output), replaces: yes).write(text)
    Message.result("wrote \(output)")
  }
}
