import ArgumentParser
import PhotoBatch
import SystemPackage

/// The `relink` command.
struct Relink: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Move the edits of moved or renamed photos to their new paths.",
    discussion: """
      If the original of a sidecar is missing, the sidecar and its renditions move to the photo \
      with the same content, if that photo has no sidecar or only edits by recipes. Of several \
      such photos, the one with the same name is chosen. Photos that exchanged their names \
      exchange their edits, too.
      """)

  @Argument(
    help: "The folder of photos, or the output folder that mirrors it.", completion: .directory)
  var library: String

  @OptionGroup var editing: EditingOptions

  func run() async throws {
    let path = FilePath(library)
    try await editing.run("relink") {
      editing, observe in try await editing.relink(path, observe)
    }
  }
}
