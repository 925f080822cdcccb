public import SystemPackage

/// The folder in which commits keep their state: journals, trash, ledger and lock.
///
/// Ordinary commands use the state folder of the output root. The shards of a plan run at the same
/// time, so each shard has its own folder, which `merge` joins with the state folder.
public struct CommitState: Sendable, Hashable {
  /// The path from the output root.
  public let folder: FilePath
  /// The key of the journals' seals; nil for the key of this machine.
  let key: [UInt8]?
  /// The text that distinguishes the temporary files of a shard; nil for ordinary commands.
  let mark: String?

  public static let library = CommitState(folder: ".phbatch", key: nil, mark: nil)
  /// The folder that contains a folder for each plan.
  public static let shards: FilePath = ".phbatch/shards"

  private init(folder: FilePath, key: [UInt8]?, mark: String?) {
    (self.folder, self.key, self.mark) = (folder, key, mark)
  }

  /// The state of the library, with temporary files that belong to one of its users.
  static func library(mark: String) -> CommitState {
    CommitState(folder: library.folder, key: nil, mark: mark)
  }

  /// The state of one shard.
  ///
  /// Machines that share a plan share its key, so that one machine can complete a commit that
  /// another has begun.
  ///
  /// - Parameters:
  ///   - index: The number of the shard, from 0.
  ///   - plan: The name of the plan, which is the name of its folder in `shards`.
  ///   - key: The plan's key; nil to use the key of this machine.
  /// - Returns: The state in the shard's folder.
  public static func shard(_ index: Int, of plan: String, key: [UInt8]?) -> CommitState {
    CommitState(
      folder: shards.appending(plan).appending("\(index)"), key: key,
      mark: "\(plan.prefix(16)).\(index)")
  }

  /// The folder of the journals.
  var journals: FilePath { folder.appending("txn") }
  /// The trash: the folder of the files that runs replaced or removed, with a folder for each run.
  var trash: FilePath { folder.appending("trash") }
  /// The file with the digests of the published renditions.
  var ledger: FilePath { folder.appending("published") }
  /// The index.
  ///
  /// The index of a shard has only the digests of files.
  var index: FilePath { folder.appending("index") }
  /// The file that is locked during a commit.
  var lock: FilePath { folder.appending("commit.lock") }

  /// The lock note of the library or of the shard.
  var note: FilePath { folder.appending("run.json") }

  /// This folder and the folders above it, except the output root, from the highest to the lowest.
  var folders: [FilePath] {
    Array(sequence(first: folder) { $0.removingLastComponent() }.prefix { !$0.isEmpty }.reversed())
  }

  /// The name of a new temporary file.
  func temporaryName() -> TemporaryName { TemporaryName(mark: mark) }

  /// True if a temporary file of this state has this name; ordinary commands, which run alone, own
  /// all temporary files.
  func owns(_ name: FileName) -> Bool { TemporaryName.describes(name, mark: mark) }
}
