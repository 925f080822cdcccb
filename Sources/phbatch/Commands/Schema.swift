import ArgumentParser
import Notation
import PhotoBatch
import PhotoRecipes
import PhotoReports

struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of recipes, for editors, or of the files that a run writes.")

  enum Document: EnumerableFlag {
    case recipe, events, report, manifest

    static func help(for document: Document) -> ArgumentHelp? {
      switch document {
      case .recipe: "The schema of recipes."
      case .events:
        """
        The schema of the lines of '--format json' of run, watch, merge, verify, adjust, revert, \
        undo, repair, relink and prune.
        """
      case .report: "The schema of 'run --report FILE.json'."
      case .manifest: "The schema of a web set's manifest."
      }
    }

    var schema: JSON {
      switch self {
      case .recipe: RecipeSchema.json
      case .events: EventSchema.json
      case .report: ReportSchema.json
      case .manifest: ManifestSchema.json
      }
    }
  }

  @Flag(exclusivity: .exclusive)
  var document = Document.recipe

  func run() { Message.document(document.schema.canonicalText) }
}
