public import SystemPackage

/// The files that the last runs replaced or removed: `.phbatch/trash/17/`, numbered by runs.
///
/// Each folder contains the journals of the run's commits, which record the old and the new files,
/// and those old files that cannot be rendered again.
public enum Trash {
  static let path = CommitState.library.trash
  /// The number of runs that can be undone.
  public static let mostRuns = 10
  /// The file in a run's folder that contains the run's command.
  private static let command = FilePath.Component("command")

  static func folder(of run: Int, _ state: CommitState = .library) -> FilePath {
    state.trash.appending("\(run)")
  }

  /// The numbers of the runs in the trash, ascending.
  static func runs(
    in files: some FileSystem, _ state: CommitState = .library
  ) throws(FileSystemError) -> [Int] {
    guard try files.status(at: state.trash) != nil else { return [] }
    return try files.names(in: state.trash).compactMap { number(of: $0) }.sorted()
  }

  /// The number of the run whose folder has this name; nil if the name is not a number as phbatch
  /// writes it.
  private static func number(of name: FileName) -> Int? {
    let text = String(decoding: name.bytes, as: UTF8.self)
    return Int(text).flatMap { (1..<Int(Int32.max)).contains($0) && "\($0)" == text ? $0 : nil }
  }

  /// Creates the folder of a new run, and returns the run's number; `command` is stored for lists
  /// of runs.
  ///
  /// With `later`, the run gets this number, and the run that has it and all after it get the next
  /// number.
  static func begin(
    _ command: String?, before later: Int? = nil, in files: some FileSystem,
    _ state: CommitState = .library
  ) throws(FileSystemError) -> Int {
    let known = try runs(in: files, state)
    let run = later ?? (known.last ?? 0) + 1
    for moved in known.reversed() where moved >= run {
      try files.rename(folder(of: moved, state), to: folder(of: moved + 1, state), .replacing)
    }
    try files.createFolders(folder(of: run, state), permissions: .newStateFolder)
    if let command {
      try files.replace(folder(of: run, state).appending(Self.command), with: Array(command.utf8))
    }
    return run
  }

  /// The folder of the last run; nil if the trash is empty.
  static func lastFolder(
    in files: some FileSystem, _ state: CommitState = .library
  ) throws(FileSystemError) -> FilePath? {
    try runs(in: files, state).last.map { folder(of: $0, state) }
  }

  /// The command of a run; nil if it is not recorded.
  static func command(of run: Int, in files: some FileSystem) -> String? {
    let bytes = try? files.read(folder(of: run).appending(command), limit: 1 << 16)
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Removes the replaced files and the journals of all runs before this one.
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
  /// Only the holder of the `LibraryLock` may call this function.
  public static func clear(in files: some FileSystem) throws(FileSystemError) {
    for run in try runs(in: files) { try empty(run, in: files) }
  }

  /// The last runs that changed a file, newest first; fewer if the trash does not contain so many.
  ///
  /// - Throws: `RecoveryError` if a run's journals are damaged or were written by another machine.
  public static func lastRuns(_ count: Int, in files: some FileSystem) throws -> [TrashedRun] {
    let (found, obstacle) = try undoableRuns(count, in: files)
    if let obstacle { throw obstacle }
    return found
  }

  /// The last runs that changed a file, newest first, up to the first run that cannot be undone,
  /// and the reason why it cannot; nil if there is no such run among the last `count`.
  public static func undoableRuns(
    _ count: Int, in files: some FileSystem
  ) throws -> (runs: [TrashedRun], obstacle: RecoveryError?) {
    var found: [TrashedRun] = []
    for run in try runs(in: files).reversed() where found.count < count {
      do {
        let read = try TrashedRun(run, in: files)
        if !read.changes.isEmpty { found.append(read) }
      } catch let error as RecoveryError { return (found, error) }
    }
    return (found, nil)
  }

  /// The newest changes of the chosen originals in all runs that are kept.
  ///
  /// The first result has the newest change of each original, the second the change before that,
  /// and so on, up to `count` results.
  ///
  /// - Throws: As `lastRuns`.
  public static func newestChanges(
    _ count: Int, in files: some FileSystem, of isChosen: (FilePath) -> Bool
  ) throws -> [TrashedRun] {
    var found: [FilePath: Int] = [:]
    var steps: [[TrashedRun.PhotoChange]] = []
    let numbers = try runs(in: files)
    for number in numbers.reversed() {
      // The changes are in the order of the run, so the last change of a photo comes first here.
      for change in try TrashedRun(number, in: files).changes.reversed() {
        guard let place = change.place, isChosen(place) else { continue }
        let step = found[place, default: 0]
        if step == count { continue }
        found[place] = step + 1
        if step == steps.count { steps.append([]) }
        steps[step].append(change)
      }
    }
    return steps.map { TrashedRun(number: numbers.last ?? 0, changes: $0.reversed()) }
  }
}
