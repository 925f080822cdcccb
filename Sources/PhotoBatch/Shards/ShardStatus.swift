import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The record of a finished shard, `status.json`; it is written after all other files of the shard.
struct ShardStatus: Sendable {
  var plan: String
  var exit: ExitCode
  /// The digest of the results, as hexadecimal digits.
  var results: String
  /// The number of photos.
  var photos: Int
  var problems: [String]
  var systemCode: ExitCode?

  private static let limit = 1 << 20

  static func path(_ state: CommitState) -> FilePath { state.folder.appending("status.json") }
  /// The file with the outcome of each of the shard's photos, in the order of the plan.
  static func results(_ state: CommitState) -> FilePath { state.folder.appending("results") }

  init(
    plan: String, exit: ExitCode, results: String, photos: Int, problems: [String],
    systemCode: ExitCode?
  ) {
    (self.plan, self.exit, self.results, self.photos) = (plan, exit, results, photos)
    (self.problems, self.systemCode) = (problems, systemCode)
  }

  /// Reads the record of a shard; nil if the shard is not finished, or belongs to another plan.
  init?(_ plan: ShardPlan, _ state: CommitState, in files: RealFileSystem) {
    let path = Self.path(state)
    guard let bytes = try? files.read(path, limit: Self.limit),
      let json = JSONParser.parse(SourceText(name: path.string, bytes: bytes)).json,
      json["plan"]?.string == plan.identifier, let results = json["results"]?.string,
      let photos = json["photos"]?.integer,
      let exit = json["exit"]?.integer.flatMap({ ExitCode(rawValue: Int32($0)) })
    else { return nil }
    self.init(
      plan: plan.identifier, exit: exit, results: results, photos: photos,
      problems: json["problems"]?.array?.compactMap(\.string) ?? [],
      systemCode: json["code"]?.integer.flatMap { ExitCode(rawValue: Int32($0)) })
  }

  func write(_ state: CommitState, in files: RealFileSystem) throws(FileSystemError) {
    var object = JSON.Object()
    object["plan"] = .string(plan)
    object["exit"] = .integer(Int(exit.rawValue))
    object["results"] = .string(results)
    object["photos"] = .integer(photos)
    if !problems.isEmpty { object["problems"] = .array(problems.map(JSON.string)) }
    object["code"] = (systemCode?.rawValue).map { .integer(Int($0)) }
    object["engine"] = .string(Engine.version)
    try files.replace(Self.path(state), with: JSON.object(object).canonicalBytes)
  }
}
