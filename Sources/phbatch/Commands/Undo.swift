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
      the first. Either all photos are changed, or none.
      """)

  @Argument(
    help: "The folder of photos, or the output folder that mirrors it.", completion: .directory)
  var library: String

  @Flag(help: "Accepted for scripts; has no effect, because undo never asks.")
  var yes = false

  @OptionGroup var editing: EditingOptions

  func run() async throws {
    let path = FilePath(library)
    try await editing.run("undo") {
      editing, observe in try await editing.undo(path, observe)
    }
  }
}
