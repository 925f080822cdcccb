import ArgumentParser
import PhotoBatch
import SystemPackage

struct Revert: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revert",
    abstract: "Revert the newest edit of photos.",
    discussion: """
      The edit below becomes current again, with its renditions; missing renditions are rendered \
      from its recorded settings. The next run of the recipe does not render the photo again, \
      unless the recipe's settings have changed or --redo is given. Either all photos are \
      reverted, or none.
      """)

  @Argument(
    help: "Photos, or folders of photos; without an extension, a raw photo and its JPEG.",
    completion: .file())
  var paths: [String]

  @Option(
    help: "The variant to change; the main stack, or a photo's only stack, if left out.")
  var variant: String?

  @Flag(help: "Go back to the original.")
  var all = false

  @Flag(help: "Accepted for scripts; has no effect, because revert never asks.")
  var yes = false

  @OptionGroup var place: LibraryOption
  @OptionGroup var editing: EditingOptions

  func run() async throws {
    let (paths, library) = (paths.map { FilePath($0) }, place.path)
    let (variant, all) = (variant, all)
    try await editing.run("revert") { editing, observe in
      try await editing.revert(
        paths, library: library, variant: variant, isWhole: all, observe)
    }
  }
}
