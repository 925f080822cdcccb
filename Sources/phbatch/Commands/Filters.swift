import ArgumentParser
import Notation
import PhotoBatch
import PhotoRecipes

struct Filters: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filters",
    abstract: "List the filters, or describe one with its settings, units and ranges.")

  @Argument(help: "The name of a filter; all filters if left out.")
  var name: String?

  @Option(help: "text or json.")
  var format = OutputFormatOption.text

  func run() throws {
    var chosen = Catalog.filters
    if let name {
      guard let filter = Catalog.filter(named: name) else {
        let nearest = Spelling.nearest(to: name, among: Catalog.filters.map { $0.name })
        throw MissingInput(
          "there is no filter '\(name)'",
          hint: nearest.map { "did you mean '\($0)'?" } ?? "'phbatch filters' lists them")
      }
      chosen = [filter]
    }
    let descriptions = chosen.map { FilterDescription($0) }
    switch format {
    case .json: Message.document(JSON.array(descriptions.map(\.json)).canonicalText)
    case .text where name == nil:
      for description in descriptions { Message.result(description.line) }
    case .text:
      for description in descriptions { Message.result(description.text) }
    }
  }
}
