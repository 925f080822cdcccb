import ArgumentParser
import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The `status` command.
struct Status: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show each photo's edits, their state, and what a run of a recipe would do.")

  @Argument(
    help: "The folder of photos, or the output folder that mirrors it.", completion: .directory)
  var library: String

  @Option(
    help: "A recipe: show what a run of it would do, and why.",
    completion: .file(extensions: ["json"]))
  var recipe: String?

  @Flag(help: "With --recipe: show why each rendition would be written.")
  var why = false

  @Option(help: "The format of the results: text, or json with one photo per line.")
  var format = OutputFormatOption.text

  @OptionGroup var limits: LimitOptions

  func validate() throws {
    if why && recipe == nil { throw ValidationError("--why works only with --recipe") }
  }

  func run() async throws {
    let photos = try await LibraryStatus.read(
      FilePath(library), recipe: recipe.map { FilePath($0) }, options: limits.options)
    for photo in photos {
      switch format {
      case .text: print(photo.text(why: why))
      case .json: print(photo.json(why: why).compactText)
      }
    }
    if photos.isEmpty && format == .text {
      print(NoPhotos.text(try NoPhotos(in: FilePath(library))))
    }
    let worst = photos.flatMap(\.reasons).map(\.outcome).max() ?? .fine
    if let code = PhotoBatch.ExitCode(rawValue: Int32(worst.rawValue)), code != .success {
      throw code
    }
  }
}
