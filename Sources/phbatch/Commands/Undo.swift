import ArgumentParser
import PhotoBatch
import SystemPackage

/// The `undo` command.
struct Undo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Undo the last run, revert or adjustment that changed files.",
    discussion: """
      Restores the previous sidecars, and the files that could not be rendered again; other \
      renditions are rendered from the settings in the restored sidecars. A second undo reverses \
      the first. Either all photos are changed, or none, unless --skip is given.

      EXAMPLES
        phbatch undo Photos --list
        phbatch undo Photos
        phbatch undo Photos/a.jpg Photos/b.jpg
      """)

  @Argument(
    help: "The library, the output folder that mirrors it, or photos and folders in it.",
    completion: .file())
  var paths: [String]

  @Flag(help: "Only list the changes that would be undone.")
  var list = false

  @Flag(help: "Skip photos that cannot be undone, and undo the others.")
  var skip = false

  @OptionGroup var place: LibraryOption
  @OptionGroup var editing: EditingOptions

  func run() async throws {
    let (paths, library) = (paths.map { FilePath($0) }, place.path)
    let (list, skip) = (list, skip)
    try await editing.run("undo") { editing, observe in
      if list { return try await editing.listUndo(paths, library: library, observe) }
      return try await editing.undo(paths, library: library, skipsBlocked: skip, observe)
    }
  }
}
