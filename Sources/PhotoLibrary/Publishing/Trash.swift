import SystemPackage

/// The files that the last run displaced: `.phbatch/trash/17/`, numbered by runs.
///
/// A folder holds the journals of the run's commits, which say what was displaced and by what, and
/// the displaced files that could not be made again.
public enum Trash {
  static let path: FilePath = ".phbatch/trash"

  static func folder(of run: Int) -> FilePath { path.appending("\(run)") }

  /// The runs that left something, the oldest first.
  private static func runs(in files: some FileSystem) throws(FileSystemError) -> [Int] {
    guard try files.status(at: path) != nil else { return [] }
    return try files.names(in: path).compactMap { number(of: $0) }.sorted()
  }

  /// The number that is a folder's name as phbatch writes it; a name by others may be any.
  private static func number(of name: FileName) -> Int? {
    let text = String(decoding: name.bytes, as: UTF8.self)
    return Int(text).flatMap { (1..<Int(Int32.max)).contains($0) && "\($0)" == text ? $0 : nil }
  }

  /// Makes the folder of a new run, and returns its number.
  static func begin(in files: some FileSystem) throws(FileSystemError) -> Int {
    let run = (try runs(in: files).last ?? 0) + 1
    try files.createFolders(folder(of: run), permissions: .newStateFolder)
    return run
  }

  /// Removes what runs before this one left.
  static func empty(before run: Int, in files: some FileSystem) throws(FileSystemError) {
    for earlier in try runs(in: files) where earlier < run { try empty(earlier, in: files) }
  }

  private static func empty(_ run: Int, in files: some FileSystem) throws(FileSystemError) {
    let folder = folder(of: run)
    for name in try files.names(in: folder) {
      if let component = name.component { try files.remove(folder.appending(component)) }
    }
    try files.removeFolder(folder)
  }

  /// Removes all of it: there is nothing to undo any more.
  ///
  /// Only for the holder of the `LibraryLock`.
  public static func clear(in files: some FileSystem) throws(FileSystemError) {
    for run in try runs(in: files) { try empty(run, in: files) }
  }

  /// The last run that changed something; nil if nothing is known of any.
  ///
  /// - Throws: `RecoveryError` if what is there is damaged or not by this machine.
  public static func lastRun(in files: some FileSystem) throws -> TrashedRun? {
    for run in try runs(in: files).reversed() {
      let found = try TrashedRun(run, in: files)
      if !found.changes.isEmpty { return found }
    }
    return nil
  }
}
