import ArgumentParser
import PhotoBatch
import SystemPackage

struct Relink: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "relink",
    abstract: "Move the edits of moved or renamed photos to their new paths.",
    discussion: """
      If the original of a sidecar is missing, the sidecar and its renditions move to the photo \
      with the same content, if that photo has no sidecar or only edits by recipes. Of several \
      such photos, the one with the same name is chosen. Photos that exchanged their names \
      exchange their edits, too.

      With two paths, the edits of the photo or folder at the first path, which is gone, move to \
      the photo or folder at the second path, even if its content changed.

      EXAMPLES
        phbatch relink Photos
        phbatch relink Photos/2023 Photos/Archive/2023 --dry-run
      """)

  @Argument(
    help: ArgumentHelp(
      "The folder of photos, or the output folder that mirrors it; or the previous and the new path"
        + " of a photo or folder.",
      valueName: "library"),
    completion: .file())
  var paths: [String]

  @Flag(name: .customLong("dry-run"), help: "With two paths: change nothing; list what would move.")
  var isDryRun = false

  @OptionGroup var place: LibraryOption
  @OptionGroup var editing: EditingOptions

  func validate() throws {
    try Usage.check(
      (1...2).contains(paths.count),
      "give a library, or the previous and the new path of a photo or folder")
    try Usage.check(
      paths.count == 2 || !isDryRun, "--dry-run works only with two paths")
  }

  func run() async throws {
    let (paths, library, isDryRun) = (paths.map { FilePath($0) }, place.path, isDryRun)
    try await editing.run("relink") { editing, observe in
      guard paths.count == 2 else {
        return try await editing.relink(paths[0], library: library, observe)
      }
      return try await editing.relink(
        from: paths[0], to: paths[1], library: library, isDryRun: isDryRun, observe)
    }
  }
}
