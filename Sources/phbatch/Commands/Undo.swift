import ArgumentParser
import PhotoBatch
import SystemPackage

struct Undo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo the last runs, reverts or adjustments that changed files.",
    discussion: """
      Restores the previous sidecars, and the files that cannot be rendered again; other \
      renditions are rendered from the settings in the restored sidecars. A second undo reverses \
      the first. Either all photos are changed, or none, unless --skip is given. The last 10 commands \
      that changed something can be undone.

      EXAMPLES
        phbatch undo Photos --list
        phbatch undo Photos
        phbatch undo Photos --steps 2
        phbatch undo Photos/a.jpg Photos/b.jpg
      """)

  @Argument(
    help: "The library, the output folder that mirrors it, or photos and folders in it.",
    completion: .file())
  var paths: [String]

  @Flag(help: "Only list the commands that can be undone, and the changes of the last one.")
  var list = false

  @Option(
    help: "Undo this many commands, the last first; with named photos, this many of their changes.")
  var steps = 1

  @Flag(help: "Skip photos that cannot be undone, and undo the others.")
  var skip = false

  @OptionGroup var place: LibraryOption
  @OptionGroup var editing: EditingOptions

  func validate() throws {
    try Usage.check("--steps", steps, isAtLeast: 1)
    try Usage.check(!list || steps == 1, "give only one of --list and --steps")
  }

  func run() async throws {
    let (paths, library) = (paths.map { FilePath($0) }, place.path)
    let (list, skip, steps) = (list, skip, steps)
    try await editing.run("undo") { editing, observe in
      if list { return try await editing.listUndo(paths, library: library, observe) }
      return try await editing.undo(
        paths, library: library, steps: steps, skipsBlocked: skip, observe)
    }
  }
}
