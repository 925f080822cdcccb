import Notation
import SystemPackage

/// Moves the replaced files and the journals of shards to the library's trash, so that `undo` takes
/// back all shards of a plan like one run.
public struct ShardTrash: Sendable {
  private let files: RealFileSystem
  /// The number of the run in the library's trash that contains all shards.
  public let run: Int

  /// Begins a run in the trash for a plan, or continues the run `begun` of an interrupted merge.
  ///
  /// Only the holder of the exclusive `LibraryLock` may use the object.
  public init(_ root: OutputRoot, command: String, begun: Int?) throws {
    files = root.files
    if let begun {
      run = begun
      try files.createFolders(Trash.folder(of: begun), permissions: .newStateFolder)
    } else {
      run = try Trash.begin(command, in: files)
    }
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
