public import SystemPackage

/// The files that the last run displaced: `.phbatch/trash/17/`, numbered by runs.
///
/// Each folder contains the journals of the run's commits, which record the displaced files and
/// their replacements, and those displaced files that cannot be rendered again.
public enum Trash {
  static let path: FilePath = ".phbatch/trash"

  static func folder(of run: Int) -> FilePath { path.appending("\(run)") }

  /// The numbers of the runs in the trash, ascending.
  private static func runs(in files: some FileSystem) throws(FileSystemError) -> [Int] {
    guard try files.status(at: path) != nil else { return [] }
    return try files.names(in: path).compactMap { number(of: $0) }.sorted()
  }

  /// The number that is the name of a run's folder; nil if phbatch would not write the name in this
  /// way.
  private static func number(of name: FileName) -> Int? {
    let text = String(decoding: name.bytes, as: UTF8.self)
    return Int(text).flatMap { (1..<Int(Int32.max)).contains($0) && "\($0)" == text ? $0 : nil }
  }

  /// Creates the folder of a new run, and returns the run's number.
  static func begin(in files: some FileSystem) throws(FileSystemError) -> Int {
    let run = (try runs(in: files).last ?? 0) + 1
    try files.createFolders(folder(of: run), permissions: .newStateFolder)
    return run
  }

  /// Removes the displaced files and the journals of runs before this one.
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

  /// Removes the whole trash, so that no run can be undone any more.
  ///
  /// Only the holder of the `LibraryLock` may call it.
  public static func clear(in files: some FileSystem) throws(FileSystemError) {
    for run in try runs(in: files) { try empty(run, in: files) }
  }

  /// The last run that changed a file; nil if the trash contains no run.
  ///
  /// - Throws: `RecoveryError` if its journals are damaged or were written by another machine.
  public static func lastRun(in files: some FileSystem) throws -> TrashedRun? {
    for run in try runs(in: files).reversed() {
      let found = try TrashedRun(run, in: files)
      if !found.changes.isEmpty { return found }
    }
    return nil
  }

  /// For each of the chosen originals, the newest change among all runs that are kept.
  ///
  /// The number of the result is that of the newest run; nil if nothing is known of any.
  /// - Throws: As `lastRun`.
  public static func newestChanges(
    in files: some FileSystem, of isChosen: (FilePath) -> Bool
  ) throws -> TrashedRun? {
    var found: Set<FilePath> = []
    var changes: [TrashedRun.PhotoChange] = []
    let numbers = try runs(in: files)
    for number in numbers.reversed() {
      // The last change of a photo in a run comes first.
      for change in try TrashedRun(number, in: files).changes.reversed() {
        guard let original = change.original, isChosen(original),
          found.insert(original).inserted
        else { continue }
        changes.append(change)
      }
    }
    guard let last = numbers.last, !changes.isEmpty else { return nil }
    return TrashedRun(number: last, changes: changes.reversed())
  }
}
