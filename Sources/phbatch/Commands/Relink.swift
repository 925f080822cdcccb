import ArgumentParser
import PhotoBatch
import SystemPackage

/// The `relink` command.
struct Relink: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Move the edits of moved or renamed photos to their new places.",
    discussion: """
      A sidecar whose original is gone belongs to the photo that has the same bytes, if that has no \
      sidecar, or one that only holds what recipes made. It moves beside that photo, with its \
      renditions. Of several such photos an equal name decides. Photos that exchanged their names \
      exchange their edits back.
      """)

  @Argument(help: "The folder of photos, or one that mirrors it.", completion: .directory)
  var library: String

  @OptionGroup var editing: EditingOptions

  func run() async throws {
    let path = FilePath(library)
    try await editing.run("relink") {
      editing, observe in try await editing.relink(path, observe)
    }
  }
}
