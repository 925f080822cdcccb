import ArgumentParser
import PhotoBatch
import SystemPackage

struct Repair: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Rename damaged sidecars; the next run then creates new ones.",
    discussion: """
      The damaged file is kept under a name that ends with '.damaged'. Sidecars that can be read, \
      and those of a newer phbatch, are not changed.
      """)

  @Argument(
    help: "Photos, or folders of photos; without an extension, a raw photo and its JPEG.",
    completion: .file())
  var paths: [String]

  @OptionGroup var place: LibraryOption
  @OptionGroup var editing: EditingOptions

  func run() async throws {
    let (paths, library) = (paths.map { FilePath($0) }, place.path)
    try await editing.run("repair") { editing, observe in
      try await editing.repair(paths, library: library, observe)
    }
  }
}
