import SystemPackage

/// Makes files and names survive a power failure, as the level of durability requires.
struct Saver<Files: FileSystem>: Sendable {
  let files: Files
  let durability: Durability

  func save(_ file: Files.File) throws(FileSystemError) {
    if durability != .none { try files.synchronize(file) }
  }

  func save(folder: FilePath) throws(FileSystemError) {
    if durability != .none { try files.synchronize(folder: folder) }
  }

  /// Saves each folder once, in the order of their paths.
  func save(folders: some Sequence<FilePath>) throws(FileSystemError) {
    for folder in Set(folders).sorted(by: { $0.string < $1.string }) { try save(folder: folder) }
  }
}
