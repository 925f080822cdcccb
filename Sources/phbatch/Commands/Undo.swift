import ArgumentParser
import PhotoBatch
import SystemPackage

/// The `undo` command.
struct Undo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Undo the last run, revert or adjustment that changed something.",
    discussion: """
      Sidecars come back as they were, with the files that could not be rendered again; other \
      renditions are rendered from the settings that the sidecars then record. A second undo takes \
      the first back. All photos are changed, or none.
      """)

  @Argument(help: "The folder of photos, or one that mirrors it.", completion: .directory)
  var library: String

  @Flag(help: "Accepted for scripts; has no effect, because undo asks nothing.")
  var yes = false

  @OptionGroup var editing: EditingOptions

  func run() async throws {
    let path = FilePath(library)
    try await editing.run("undo") {
      editing, observe in try await editing.undo(path, observe)
    }
  }
}
