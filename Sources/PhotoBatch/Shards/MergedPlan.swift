import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The record of a merge; it is first written when the merge begins to move files.
struct MergedPlan: Sendable {
  /// The number of the run in the trash; nil if the shards moved no file to the trash.
  var trash: Int?
  /// The exit code; nil while the merge is not complete.
  var exit: ExitCode?

  static func path(_ plan: ShardPlan) -> FilePath {
    ShardFolders.mergeRecord(of: plan.name)
  }

  init(trash: Int?, exit: ExitCode? = nil) { (self.trash, self.exit) = (trash, exit) }

  /// Reads the record of a plan; nil if its merge has not begun.
  init?(_ plan: ShardPlan, in files: RealFileSystem) {
    let path = Self.path(plan)
    guard let bytes = try? files.read(path, limit: 1 << 16),
      let json = JSONParser.parse(SourceText(name: path.string, bytes: bytes)).json,
      json["plan"]?.string == plan.identifier
    else { return nil }
    trash = json["trash"]?.integer
    exit = json["exit"]?.integer.flatMap { ExitCode(rawValue: Int32($0)) }
  }

  func write(_ plan: ShardPlan, in files: RealFileSystem) throws(FileSystemError) {
    var object = JSON.Object()
    object["plan"] = .string(plan.identifier)
    object["trash"] = trash.map(JSON.integer)
    object["exit"] = (exit?.rawValue).map { .integer(Int($0)) }
    try files.createFolders(CommitState.shards, permissions: .newStateFolder)
    try files.replace(Self.path(plan), with: JSON.object(object).canonicalBytes)
  }
}
