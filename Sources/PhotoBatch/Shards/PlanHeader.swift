import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The first line of a plan, with the values that all shards of the plan share.
struct PlanHeader: Sendable {
  static let version = 1

  /// The absolute paths of the recipe, the library and, unless it is the library, the output root.
  var recipe: FilePath
  var library: FilePath
  var output: FilePath?
  /// The recipe, joined with the recipes that it extends; nil in older plans.
  ///
  /// The merge needs it, and the recipe's file may have changed, or be gone, until then.
  var document: JSON?
  /// The options that affect the results.
  var options: JSON
  /// A digest of the recipe, the options and the version of phbatch; each shard computes the digest
  /// too, and refuses the plan if the digests differ.
  var decision: String
  /// The date of all new records.
  var date: String
  /// The secret key with which the shards seal their journals.
  var key: [UInt8]
  /// The number of photos that a shard renders at a time.
  var jobs: Int
  /// True if the photos of a folder can be processed without reading the other folders.
  var isByFolder: Bool

  var json: JSON {
    var object = JSON.Object()
    object["phbatch"] = .string("plan")
    object["version"] = .integer(Self.version)
    object["engine"] = .string(Engine.version)
    object.add(recipe, as: "recipe")
    object.add(library, as: "library")
    if let output { object.add(output, as: "output") }
    object["document"] = document
    object["options"] = options
    object["decision"] = .string(decision)
    object["date"] = .string(date)
    object["key"] = .string(Base64.encode(key))
    object["jobs"] = .integer(jobs)
    object["byFolder"] = .bool(isByFolder)
    return .object(object)
  }

  /// Reads a header; nil if it is not one of this version.
  init?(_ json: JSON) {
    guard json["phbatch"]?.string == "plan", json["version"]?.integer == Self.version,
      let recipe = json.path("recipe"), let library = json.path("library"),
      let decision = json["decision"]?.string, let date = json["date"]?.string,
      let key = json["key"]?.string.flatMap({ Base64.decode($0) }), key.count == 32,
      let jobs = json["jobs"]?.integer, jobs > 0, let options = json["options"]
    else { return nil }
    self.init(
      recipe: recipe, library: library, output: json.path("output"), document: json["document"],
      options: options, decision: decision, date: date, key: key, jobs: jobs,
      isByFolder: json["byFolder"]?.bool ?? false)
  }

  init(
    recipe: FilePath, library: FilePath, output: FilePath?, document: JSON?, options: JSON,
    decision: String, date: String, key: [UInt8], jobs: Int, isByFolder: Bool
  ) {
    (self.recipe, self.library, self.output) = (recipe, library, output)
    self.document = document
    (self.options, self.decision, self.date, self.key) = (options, decision, date, key)
    (self.jobs, self.isByFolder) = (jobs, isByFolder)
  }
}

extension JSON {
  /// The path that `JSON.Object.add(_:as:)` has written; nil if there is none.
  func path(_ key: String) -> FilePath? {
    guard let text = self[key]?.string else { return nil }
    let exact = self["\(key)Bytes"]?.string.flatMap { Base64.decode($0) }
    return FilePath(bytes: exact ?? Array(text.utf8))
  }
}
