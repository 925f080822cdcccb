import ArgumentParser
import PhotoBatch
import PhotoRecipes

/// The `schema` command.
struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the JSON Schema of recipes, for editors, or of what a run writes.")

  @Flag(help: "Of the lines of 'run --format json'.")
  var events = false

  @Flag(help: "Of 'run --report FILE.json'.")
  var report = false

  func validate() throws {
    if events && report { throw ValidationError("give one of --events and --report") }
  }

  func run() {
    let schema = events ? EventSchema.json : report ? ReportSchema.json : RecipeSchema.json
    print(schema.canonicalText, terminator: "")
  }
}
