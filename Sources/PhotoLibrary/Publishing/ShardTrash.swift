import Notation
import SystemPackage

/// Moves the replaced files and the journals of shards to the library's trash, so that `undo` takes
/// back all shards of a plan like one run.
public struct ShardTrash: Sendable {
  private let files: RealFileSystem
  /// The number of the run in the library's trash that contains all shards.
  public let run: Int

  /// Begins a run in the trash for the shards of a plan, or continues the run `begun` of an
  /// interrupted merge.
  ///
  /// The run precedes later runs that changed what the shards wrote, because these must be undone
  /// first. It is the last run while another plan's merge is unfinished, because that merge has
  /// recorded the number of its run.
  ///
  /// Only the holder of the exclusive `LibraryLock` may use the object.
  public init(
    _ root: OutputRoot, command: String, begun: Int?, of shards: [CommitState]
  ) throws {
    files = root.files
    if let begun {
      run = begun
      try files.createFolders(Trash.folder(of: begun), permissions: .newStateFolder)
    } else {
      let keepsNumbers = ShardFolders.holdUnfinishedMerge(in: files)
      let later = keepsNumbers ? nil : try Self.run(after: shards, in: files)
      run = try Trash.begin(command, before: later, in: files)
    }
  }

  /// The number of the first run that replaced or removed a sidecar that one of the shards wrote;
  /// nil if there is none.
  private static func run(after shards: [CommitState], in files: RealFileSystem) throws -> Int? {
    let journals = try shards.map { ($0, try Self.journals(of: $0, in: files)) }
    let start = try journals.compactMap { _, paths in
      try paths.first.flatMap { try files.status(at: $0)?.identity.modified }
    }.min()
    // Runs that ended before the first commit of a shard are not read.
    let runs = try Trash.runs(in: files).filter { number in
      guard let start, let folder = try files.status(at: Trash.folder(of: number)) else {
        return false
      }
      return folder.identity.modified >= start
    }
    if runs.isEmpty { return nil }
    var written: [FilePath: (old: Digest?, new: Digest?)] = [:]
    for (state, paths) in journals {
      let folder = JournalFolder(Saver(files: files, durability: .none), state)
      for path in paths {
        for entry in try folder.read(path).units.flatMap(\.entries)
        where Sidecar.isPath(entry.path) {
          written[entry.path] = (entry.old, entry.new)
        }
      }
    }
    return runs.first { number in
      let run = try? TrashedRun(number, in: files) { change in
        change.sidecars.contains { file in
          guard let shard = written[file.path], let before = file.before.digest else {
            return false
          }
          // A plan that was merged late may have replaced a file that the shard restored.
          return before == shard.new && (shard.old == nil || file.after != shard.old)
        }
      }
      // A run whose journals cannot be read, such as one of another machine, keeps its place.
      return run.map { !$0.changes.isEmpty } ?? false
    }
  }

  /// The journals of a shard, in the order of its commits.
  private static func journals(
    of state: CommitState, in files: RealFileSystem
  ) throws(FileSystemError) -> [FilePath] {
    var paths: [FilePath] = []
    for folder in try Trash.runs(in: files, state).map({ Trash.folder(of: $0, state) }) {
      let names = try files.names(in: folder).filter { $0.hasSuffix(".json") }
      paths += names.compactMap(\.component).map { folder.appending($0) }
    }
    return paths
  }

  /// True if a shard has replaced, removed or written files.
  public static func exists(
    _ state: CommitState, in root: OutputRoot
  ) throws(FileSystemError) -> Bool {
    try !Trash.runs(in: root.files, state).isEmpty
  }

  /// Moves the trash of one shard, whose commits are all complete.
  ///
  /// Temporary files, which a killed process of the shard may have left, are removed later with the
  /// shard's folder.
  ///
  /// The function can be called again after a crash.
  public func take(_ shard: Int, _ state: CommitState) throws {
    let target = Trash.folder(of: run)
    let saver = Saver(files: files, durability: .batch)
    let (theirs, ours) = (JournalFolder(saver, state), JournalFolder(saver))
    try files.createFolders(ours.path, permissions: .newStateFolder)
    for earlier in try Trash.runs(in: files, state) {
      let folder = Trash.folder(of: earlier, state)
      for name in try files.names(in: folder) {
        guard let component = name.component, !name.hasSuffix(".json"), name != FileName("command"),
          !TemporaryName.describes(name)
        else { continue }
        try files.rename(folder.appending(component), to: target.appending(component), .replacing)
      }
      for name in try files.names(in: folder) where name.hasSuffix(".json") {
        guard let component = name.component else { continue }
        let path = folder.appending(component)
        let journal = try theirs.read(path)
        let id = "\(shard.digits(6))-\(earlier.digits(4))-\(journal.id)"
        let moved = Journal(id: id, isAtomic: journal.isAtomic, run: run, units: journal.units)
        try files.replace(
          target.appending("\(id).json"), with: moved.text(ours.seal()),
          permissions: .ownerReadWrite)
        try files.remove(path)
      }
    }
  }

  /// Removes the trash of runs that are too old to be undone.
  public func end() throws(FileSystemError) {
    try Trash.empty(before: run - Trash.mostRuns + 1, in: files)
  }
}
