import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// A recipe with all the files that it is made of, as they were when it was read.
struct WatchedRecipe: Sendable {
  let batch: Batch
  /// Open, so that what is there can be used when it is replaced by something invalid.
  let files: NamedFiles
  private let paths: Set<FilePath>
  private let stamps: [FilePath: FileStamp]

  /// Reads a recipe, and remembers the files that it was read from.
  ///
  /// - Throws: All that is wrong with it, and `ExternalNotAllowed`.
  init(_ path: FilePath, library: FilePath, _ options: BatchOptions, crew: Crew?) throws {
    var read: Set<FilePath> = []
    var stamps: [FilePath: FileStamp] = [:]
    func note(_ path: FilePath) {
      read.insert(path)
      // No file is a state like any other.
      stamps[path] = try? FileStamp(of: path)
    }
    // Before they are read: what changes meanwhile is read again.
    let document = try RecipeDocument(contentsOf: path, note)
    batch = try Batch(document, library: library, options: options, crew: crew)
    try batch.checkExternal()
    for file in batch.recipe.namedFiles { note(FilePath(file.location)) }
    files = try NamedFiles(batch.recipe, document)
    paths = read
    self.stamps = stamps
  }

  /// The folders in which something happens when the recipe changes.
  var folders: Set<FilePath> {
    Set(
      paths.map { path in
        let folder = path.removingLastComponent()
        return folder.isEmpty ? "." : folder
      })
  }

  /// What its files are now.
  var current: [FilePath: FileStamp] {
    var current: [FilePath: FileStamp] = [:]
    for path in paths { current[path] = try? FileStamp(of: path) }
    return current
  }

  /// Whether that is what was read.
  func isCurrent(_ current: [FilePath: FileStamp]) -> Bool { current == stamps }
}
