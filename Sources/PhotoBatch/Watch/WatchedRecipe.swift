import Glibc
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// A recipe with the stamps of all its files from just before they were read.
struct WatchedRecipe: Sendable {
  let batch: Batch
  /// The files that the recipe names, kept open so that they remain usable after invalid files
  /// replace them.
  let files: NamedFiles
  private let paths: Set<FilePath>
  private let stamps: [FilePath: FileStamp]

  /// Reads a recipe, and records the stamps of the files from which it is read.
  ///
  /// - Throws: All errors of the recipe, and `ExternalNotAllowed`; `CancellationError` if the watch
  ///   is stopped.
  init(_ watch: Watch, _ options: BatchOptions, pool: WorkerPool?) throws {
    var read: Set<FilePath> = []
    var stamps: [FilePath: FileStamp] = [:]
    func note(_ path: FilePath) {
      read.insert(path)
      // A missing file has no entry; its appearance is then a change like any other.
      stamps[path] = try? FileStamp(of: path)
    }
    // Stamps are taken before the files are read, so that later changes cause a reload.
    let document = try RecipeDocument(contentsOf: watch.recipe, note)
    batch = try Batch(document, library: watch.library, options: options, pool: pool)
    try batch.checkExternal()
    for file in batch.recipe.namedFiles { note(FilePath(file.location)) }
    let batch = batch
    files = try watch.checking(with: batch.pool) { try batch.openFiles() }
    paths = read
    self.stamps = stamps
  }

  /// The folders in which a change may affect the recipe's files.
  var folders: Set<FilePath> { Set(paths.flatMap(\.foldersOnTheWay)) }

  /// The stamps that the recipe's files have now.
  var current: [FilePath: FileStamp] {
    var current: [FilePath: FileStamp] = [:]
    for path in paths { current[path] = try? FileStamp(of: path) }
    return current
  }

  /// True if these stamps equal the stamps of the files from which the recipe was read.
  func isCurrent(_ current: [FilePath: FileStamp]) -> Bool { current == stamps }
}

extension FilePath {
  /// The folder of the file at this path, and the folders of the symbolic links that lead to the
  /// file.
  fileprivate var foldersOnTheWay: [FilePath] {
    var folders: [FilePath] = []
    var path = self
    // The kernel follows at most 40 links.
    while folders.count < 40 {
      let folder = path.removingLastComponent()
      folders.append(folder.isEmpty ? "." : folder)
      guard let target = path.linkTarget else { break }
      path = folder.pushing(target)
    }
    // A folder on the path may itself be a link, so the folder without links is added.
    if let place = try? canonical() { folders.append(place.removingLastComponent()) }
    return folders
  }

  /// The target of a symbolic link; nil for other files.
  private var linkTarget: FilePath? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe withPlatformString { path in
      unsafe bytes.withUnsafeMutableBytes { buffer in
        guard let start = buffer.baseAddress else { return 0 }
        return unsafe readlink(
          path, unsafe start.assumingMemoryBound(to: CChar.self), buffer.count)
      }
    }
    return count > 0 ? FilePath(bytes: bytes.prefix(count)) : nil
  }
}
