import Glibc
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
  /// - Throws: All that is wrong with it, and `ExternalNotAllowed`; `CancellationError` when the
  ///   watch is stopped.
  init(_ watch: Watch, _ options: BatchOptions, pool: WorkerPool?) throws {
    var read: Set<FilePath> = []
    var stamps: [FilePath: FileStamp] = [:]
    func note(_ path: FilePath) {
      read.insert(path)
      // No file is a state like any other.
      stamps[path] = try? FileStamp(of: path)
    }
    // Before they are read: what changes meanwhile is read again.
    let document = try RecipeDocument(contentsOf: watch.recipe, note)
    batch = try Batch(document, library: watch.library, options: options, pool: pool)
    try batch.checkExternal()
    for file in batch.recipe.namedFiles { note(FilePath(file.location)) }
    let batch = batch
    files = try watch.checking(with: batch.pool) { try batch.openFiles() }
    paths = read
    self.stamps = stamps
  }

  /// The folders in which something happens when the recipe changes.
  var folders: Set<FilePath> { Set(paths.flatMap(\.foldersOnTheWay)) }

  /// What its files are now.
  var current: [FilePath: FileStamp] {
    var current: [FilePath: FileStamp] = [:]
    for path in paths { current[path] = try? FileStamp(of: path) }
    return current
  }

  /// Whether that is what was read.
  func isCurrent(_ current: [FilePath: FileStamp]) -> Bool { current == stamps }
}

extension FilePath {
  /// The folders of what has this path, and of the symbolic links that lead there.
  fileprivate var foldersOnTheWay: [FilePath] {
    var folders: [FilePath] = []
    var path = self
    // More links than the kernel follows lead nowhere.
    while folders.count < 40 {
      let folder = path.removingLastComponent()
      folders.append(folder.isEmpty ? "." : folder)
      guard let target = path.linkTarget else { break }
      path = folder.pushing(target)
    }
    // One of the folders may be a link itself.
    if let place = try? canonical() { folders.append(place.removingLastComponent()) }
    return folders
  }

  /// Where a symbolic link leads to; nil for what is none.
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
