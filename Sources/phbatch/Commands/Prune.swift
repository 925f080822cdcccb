import ArgumentParser
import PhotoBatch
import SystemPackage

struct Prune: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "List renditions and sidecars that belong to no photo, or move them to the trash.",
    discussion: """
      Lists renditions that no sidecar records, sidecars of renditions, and sidecars of missing \
      photos with their renditions. A file that only has the path of a rendition may be a photo; \
      it is moved only if it is named. 'phbatch undo' brings everything back.

      EXAMPLES
        phbatch prune Photos
        phbatch prune Photos --yes
        phbatch prune Photos/a.web.jpg --yes
      """)

  @Argument(
    help: "The library, the output folder that mirrors it, or files and folders in it.",
    completion: .file())
  var paths: [String]

  @Flag(help: "Move the files to the trash.")
  var yes = false

  @OptionGroup var place: LibraryOption
  @OptionGroup var editing: EditingOptions

  func run() async throws {
    let (paths, library) = (paths.map { FilePath($0) }, place.path)
    let yes = yes
    try await editing.run("prune") { editing, observe in
      try await editing.prune(paths, library: library, removes: yes, observe)
    }
  }
}
