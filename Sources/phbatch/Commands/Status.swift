import ArgumentParser
import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import SystemPackage

struct Status: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show each photo's edits, their state, and what a run of a recipe would do.")

  @Argument(
    help: ArgumentHelp(
      "The folder of photos, or the output folder that mirrors it; or photos, folders and patterns"
        + " in one library.",
      valueName: "library"),
    completion: .file())
  var photos: [String]

  @OptionGroup var place: LibraryOption

  @Option(
    help: "A recipe: show what a run of it would do, and why.",
    completion: .file(extensions: ["json"]))
  var recipe: String?

  @Flag(help: "Show why each rendition would be written, and which files would change.")
  var why = false

  @Option(help: "The format of the results: text, or json with one photo per line.")
  var format = OutputFormatOption.text

  @OptionGroup var limits: LimitOptions

  func run() async throws {
    let choice = try PhotoChoice(photos.map { FilePath($0) }, library: place.path)
    let library = choice.output ?? choice.library
    var options = limits.options
    options.choice = choice
    var problems = ListingProblems()
    let photos = try await LibraryStatus.read(
      library, recipe: recipe.map { FilePath($0) }, why: why, options: options
    ) { problems.warn($0) }
    for photo in photos {
      switch format {
      case .text: Message.result(photo.text(why: why))
      case .json: Message.result(photo.json(why: why).compactText)
      }
    }
    if photos.isEmpty && format == .text {
      Message.result(NoPhotos.text(problems.isEmpty ? try NoPhotos(in: library) : nil))
    } else if format == .text {
      Message.result(photos.totals)
    }
    try problems.end(photos.flatMap(\.reasons))
  }
}
