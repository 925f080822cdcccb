import ArgumentParser
import Notation
import PhotoBatch
import PhotoRecipes
import SystemPackage

struct History: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show how photos were edited: every stack, oldest edit first.")

  @Argument(
    help: "Photos, or folders of photos; without an extension, a raw photo and its JPEG.",
    completion: .file())
  var paths: [String]

  @OptionGroup var place: LibraryOption

  @Option(help: "The format of the results: text, or json with one photo per line.")
  var format = OutputFormatOption.text

  func run() throws {
    let paths = paths.map { FilePath($0) }
    var problems = ListingProblems()
    let photos = try PhotoHistory.read(paths, library: place.path) { problems.warn($0) }
    if photos.isEmpty && format == .text {
      let reason = problems.isEmpty ? try NoPhotos(naming: paths, library: place.path) : nil
      Message.result(NoPhotos.text(reason))
    }
    for photo in photos {
      switch format {
      case .text: Message.result(photo.text)
      case .json: Message.result(photo.json.compactText)
      }
    }
    try problems.end(photos.compactMap(\.problem?.reason))
  }
}
