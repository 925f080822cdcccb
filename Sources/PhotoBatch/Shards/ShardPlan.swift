import Notation
import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// A plan: an immutable file with the photos that are due, divided among shards.
///
/// The file has one JSON object on each line: a header, the due photos of each shard, the photos
/// that are not due, and a table of these parts. The last line states the position of the table. A
/// shard reads the header, the table and its own part.
public struct ShardPlan: Sendable {
  public let path: FilePath
  /// The SHA-256 of the header and the table, which has digests of all other parts.
  public let identifier: String
  let header: PlanHeader
  public let shards: [Shard]
  /// The photos that are not due, each with its reason.
  let left: Part
  /// The number of photos that are not due; 0 in older plans, which do not contain it.
  let photosLeft: Int
  public let warnings: [String]
  /// The errors of folders and files that could not be read; their photos are not in the plan.
  let problems: [String]
  private let files: RealFileSystem
  private let file: OpenFile

  /// A part of the file.
  struct Part: Sendable, Hashable {
    var offset: Int64
    var length: Int64
    var digest: String
    var range: Range<Int64> { offset..<(offset + length) }
  }

  /// One shard of the plan.
  public struct Shard: Sendable, Hashable {
    public let photos: Int
    /// The predicted processor time of one core in seconds.
    public let seconds: Double
    /// The largest predicted memory of one photo in bytes.
    public let memory: Int
    let part: Part
  }

  /// The length of the last line: two numbers with fixed widths.
  static let trailerLength: Int64 = 80

  static func trailer(offset: Int64, length: Int64) -> String {
    let text = "{\"table\":\"\(Int(offset).digits(20))\",\"length\":\"\(Int(length).digits(20))\"}"
    return text + String(repeating: " ", count: Int(trailerLength) - 1 - text.utf8.count) + "\n"
  }

  /// Opens a plan.
  ///
  /// - Throws: `MissingInput` if there is no file; `DamagedPlan` if the file is not a complete
  ///   plan.
  public init(contentsOf path: FilePath) throws {
    let place: FilePath
    do { place = try path.canonical() } catch {
      throw MissingInput(
        "there is no plan '\(path.displayed)'", hint: "make one with 'phbatch plan'")
    }
    guard let name = place.lastComponent else { throw DamagedPlan(path: path) }
    self.path = place
    files = try RealFileSystem(root: place.removingLastComponent())
    file = try files.open(FilePath(root: nil, [name]))
    let size = try files.status(of: file).identity.size
    let end = size - Self.trailerLength
    guard end > 0 else { throw DamagedPlan(path: path) }
    var last = LineReader(file, in: files, end..<size)
    let trailer = try last.nextJSON()
    guard let offset = trailer?["table"]?.string.flatMap({ Int64($0) }),
      let length = trailer?["length"]?.string.flatMap({ Int64($0) }), offset > 0,
      length > 0, offset + length == end
    else { throw DamagedPlan(path: path) }
    let tableBytes = try files.read(file, at: offset, count: Int(length))
    var first = LineReader(file, in: files, 0..<offset)
    guard let headerLine = try first.next() else { throw DamagedPlan(path: path) }
    let parsed = [headerLine, tableBytes].map {
      JSONParser.parse(SourceText(name: path.displayed, bytes: $0)).json
    }
    guard let header = parsed[0].flatMap({ PlanHeader($0) }), let table = parsed[1],
      let left = table["left"].flatMap({ Part($0) }),
      let shards = table["shards"]?.array.map({ $0.compactMap { Shard($0) } }),
      shards.count == table["shards"]?.array?.count
    else { throw DamagedPlan(path: path) }
    (self.header, self.shards, self.left) = (header, shards, left)
    photosLeft = table["photosLeft"]?.integer ?? 0
    warnings = table["warnings"]?.array?.compactMap(\.string) ?? []
    problems = table["problems"]?.array?.compactMap(\.string) ?? []
    identifier = "\(Digest(of: headerLine + tableBytes))"
  }

  /// The output root in whose state folder the plan's file is; nil for a plan anywhere else.
  private var home: FilePath? {
    let copy = ShardFolders.folder(of: name).appending("plan")
    guard path.ends(with: copy) else { return nil }
    return FilePath(root: path.root, path.components.dropLast(copy.components.count))
  }

  public var recipe: FilePath { header.recipe }
  /// The library; for the copy of the plan in a library, the library that has it, which may have
  /// moved since the plan was made.
  public var library: FilePath {
    header.output == nil ? home ?? header.library : header.library
  }
  /// The output root; nil if it is the library.
  public var output: FilePath? { header.output.map { home ?? $0 } }
  public var jobs: Int { header.jobs }
  /// The identifier's first digits, which name the plan in paths and in names of jobs.
  public var name: String { String(identifier.prefix(16)) }

  /// The location of a shard's state and lock.
  func place(of index: Int) -> ShardPlace { ShardPlace(index, of: name, key: header.key) }

  /// The recipe from which the plan was made.
  ///
  /// - Throws: For a plan that does not contain it, `MissingInput` if its file cannot be read.
  func document() throws -> RecipeDocument {
    guard let document = header.document else { return try RecipeDocument(contentsOf: recipe) }
    return try RecipeDocument(text: document.compactBytes, of: recipe)
  }

  /// Throws if the library is not at its place.
  public func checkLibrary() throws(MissingInput) {
    if (try? RealFileSystem(root: library)) != nil { return }
    let copy = ShardFolders.folder(of: name).appending("plan")
    throw MissingInput(
      "the library of the plan, '\(library.displayed)', cannot be opened",
      hint: output == nil
        ? "if it was moved, give the plan's copy in it, '\(copy.displayed)'"
        : "mount it, or move it back")
  }

  /// True if the merge of the plan is complete.
  public var isMerged: Bool {
    guard let root = try? OutputRoot(library: library, output: output) else { return false }
    return MergedPlan(self, in: root.files)?.exit != nil
  }

  /// Throws if the plan's file must be kept, because a shard has begun and the merge is not
  /// complete, or because this is not known.
  func checkReplaceable() throws(UnmergedPlan) {
    guard let root = try? OutputRoot(library: library, output: output) else {
      throw UnmergedPlan(path: path, missing: output ?? library)
    }
    if ShardFolders.hasCopy(of: name, in: root) { throw UnmergedPlan(path: path) }
  }

  /// Copies the plan to the state folder of its output root; see `ShardFolders.keep`.
  func keep(in root: OutputRoot) throws { try ShardFolders.keep(file, of: name, in: root) }

  /// Calls `body` for each line of a part, and checks the part's digest at the end.
  func read(_ part: Part, _ body: (JSON) throws -> Void) throws {
    var reader = LineReader(file, in: files, part.range)
    while let line = try reader.nextJSON() { try body(line) }
    if reader.digest.text != part.digest { throw DamagedPlan(path: path) }
  }

  /// Returns a reader of the due photos of a shard.
  func reader(of index: Int) -> LineReader { LineReader(file, in: files, shards[index].part.range) }

  /// The paths of the due photos of a shard.
  ///
  /// - Throws: A usage error if there is no such shard.
  func photos(of index: Int) throws -> [FilePath] {
    guard shards.indices.contains(index) else {
      throw UnknownShard(index: index, count: shards.count)
    }
    var paths: [FilePath] = []
    try read(shards[index].part) { line in
      guard let path = line.path("file") else { throw DamagedPlan(path: self.path) }
      paths.append(path)
    }
    return paths
  }
}

/// The error for a number that no shard of the plan has.
public struct UnknownShard: CommandError, Hashable {
  let index: Int
  let count: Int
  public var code: ExitCode { .usage }
  public var message: String { "the plan has no shard \(index)" }
  public var hint: String { count == 0 ? "nothing was due" : "use a shard of 0 to \(count - 1)" }
}

extension ShardPlan.Part {
  var json: JSON {
    .object([
      "offset": .integer(Int(offset)), "length": .integer(Int(length)),
      "sha256": .string(digest),
    ])
  }

  fileprivate init?(_ json: JSON) {
    guard let offset = json["offset"]?.integer, let length = json["length"]?.integer,
      offset >= 0, length >= 0, let digest = json["sha256"]?.string
    else { return nil }
    self.init(offset: Int64(offset), length: Int64(length), digest: digest)
  }
}

extension ShardPlan.Shard {
  var json: JSON {
    .object([
      "photos": .integer(photos), "seconds": .number((seconds * 1000).rounded() / 1000),
      "memory": .integer(memory), "part": part.json,
    ])
  }

  fileprivate init?(_ json: JSON) {
    guard let photos = json["photos"]?.integer, let seconds = json["seconds"]?.number,
      let memory = json["memory"]?.integer, let part = json["part"].flatMap({ ShardPlan.Part($0) })
    else { return nil }
    self.init(photos: photos, seconds: seconds, memory: memory, part: part)
  }
}
