import SystemPackage

/// Makes files and names survive a power failure, as the level of durability requires.
struct Saver<Files: FileSystem>: Sendable {
  let files: Files
  let durability: Durability

  func save(_ file: Files.File) throws(FileSystemError) {
    if durability != .none { try files.synchronize(file) }
  }

  /// Saves many files; returns the error of each file that has one.
  func save(_ open: [Files.File]) -> [FileSystemError?] {
    durability == .none ? open.map { _ in nil } : files.synchronize(open)
  }

  func save(folder: FilePath) throws(FileSystemError) {
    if durability != .none { try files.synchronize(folder: folder) }
  }

  /// Saves each folder once, in the order of their paths.
  func save(folders: some Sequence<FilePath>) throws(FileSystemError) {
    for folder in Set(folders).sorted(by: { $0.string < $1.string }) { try save(folder: folder) }
  }
}

/// The parts of a commit that survive a power failure.
///
/// All levels make their calls in the same order: at every level, a process that is killed leaves
/// the files of each photo either all old or all new.
public enum Durability: String, Sendable, Hashable, CaseIterable {
  /// Every change, including the removal of displaced files, is saved before `publish` returns.
  case full
  /// Every published file is saved. After a power failure, replaced files and the journal may exist
  /// again; the next recovery removes them.
  case batch
  /// No change is saved: for tests, and for folders that can be rendered again.
  case none
}
