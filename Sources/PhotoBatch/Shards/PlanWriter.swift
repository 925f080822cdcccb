import Notation
import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// Writes a plan without keeping its photos in memory.
///
/// First writes the due photos to a temporary file, folder by folder, because the division into
/// shards depends on the work of all folders. `finish` then copies the photos in the order of
/// shards.
final class PlanWriter {
  private struct Folder {
    var path: FilePath
    var range: Range<Int64>
    var piece: PlanPartition.Piece
  }

  private let files: RealFileSystem
  private let name: FilePath
  /// The plan that is replaced; nil if there is none.
  private var replaced: ShardPlan?
  private let due: PlanSection
  private let left: PlanSection
  private var folders: [Folder] = []
  /// The number of photos that are due.
  private(set) var photos = 0
  private var photosLeft = 0
  private(set) var seconds = 0.0

  /// Creates the temporary files beside the plan.
  ///
  /// - Throws: `ExistingPlan` if the plan exists and must not be replaced; `UnmergedPlan` if it is
  ///   not merged; `FileSystemError`, also if a device, a FIFO or a socket is at the path.
  init(_ path: FilePath, replaces: Bool) throws {
    guard let last = path.lastComponent, last.kind == .regular else {
      throw FileSystemError(.create, path, .isDirectory)
    }
    let folder = path.removingLastComponent()
    files = try RealFileSystem(root: folder.isEmpty ? "." : folder)
    name = FilePath(root: nil, [last])
    let existing = try files.status(at: name)
    if existing?.kind == .other { throw FileSystemError(.create, path, .notSupported) }
    if existing != nil {
      guard replaces else { throw ExistingPlan(path: path) }
      // Any other file, such as a damaged plan, may be replaced.
      replaced = try? ShardPlan(contentsOf: path)
      try replaced?.checkReplaceable()
    }
    due = try PlanSection(files)
    left = try PlanSection(files)
  }

  /// Adds a photo that is due; the photos of a folder follow each other.
  func add(_ outcome: AssetOutcome, bytes: Int, _ cost: PhotoCost) throws(FileSystemError) {
    var object = JSON.Object()
    object.add(outcome.path, as: "file")
    object["bytes"] = .integer(bytes)
    object["seconds"] = .number(cost.seconds)
    object["memory"] = .integer(cost.memory)
    for member in outcome.plan?.members.members ?? [] { object[member.key] = member.value }
    let start = due.length
    try due.add(JSON.object(object))
    let folder = outcome.path.removingLastComponent()
    if folders.last?.path != folder {
      let piece = PlanPartition.Piece(folder: folders.count, seconds: 0, photos: 0, memory: 0)
      folders.append(Folder(path: folder, range: start..<start, piece: piece))
    }
    let last = folders.count - 1
    folders[last].range = folders[last].range.lowerBound..<due.length
    folders[last].piece.add(cost)
    photos += 1
    seconds += cost.seconds
  }

  /// Adds a photo that is not due.
  func addLeft(_ outcome: AssetOutcome) throws(FileSystemError) {
    try left.add(ShardResult.json(outcome))
    photosLeft += 1
  }

  /// Writes the plan with `count` shards, and renames the temporary file to the plan's name.
  ///
  /// `problems` are the errors of folders and files that could not be read.
  func finish(
    _ header: PlanHeader, shards count: Int, warnings: [String], problems: [String]
  ) throws {
    let plan = try PlanSection(files)
    try plan.add(header.json)
    try due.flush()
    try left.flush()
    let pieces = try folders.flatMap { try self.pieces(of: $0, shards: count) }
    let partition = PlanPartition(pieces, count: count)
    var shards: [JSON] = []
    for pieces in partition.shards {
      plan.beginPart()
      for piece in pieces { try copy(piece, to: plan) }
      let shard = ShardPlan.Shard(
        photos: pieces.reduce(0) { $0 + $1.photos }, seconds: pieces.reduce(0) { $0 + $1.seconds },
        memory: pieces.map(\.memory).max() ?? 0, part: plan.part)
      shards.append(shard.json)
    }
    plan.beginPart()
    try left.copy(to: plan)
    let table = JSON.object([
      "shards": .array(shards), "left": plan.part.json,
      "photosLeft": .integer(photosLeft),
      "warnings": .array(warnings.map(JSON.string)),
      "problems": .array(problems.map(JSON.string)),
    ])
    let start = plan.length
    try plan.add(table)
    try plan.add(Array(ShardPlan.trailer(offset: start, length: plan.length - start).utf8))
    // A shard may have begun while the library was read.
    try replaced?.checkReplaceable()
    try plan.finish(as: name)
    due.discard()
    left.discard()
  }

  private func pieces(of folder: Folder, shards: Int) throws -> [PlanPartition.Piece] {
    let parts = PlanPartition.parts(
      seconds: folder.piece.seconds, of: seconds, shards: shards)
    if parts == 1 { return [folder.piece] }
    var pieces = (0..<parts).map {
      PlanPartition.Piece(
        folder: folder.piece.folder, part: $0, parts: parts, seconds: 0, photos: 0, memory: 0)
    }
    var reader = due.reader(folder.range)
    while let line = try reader.nextJSON() {
      guard let name = line.path("file")?.lastComponent, let seconds = line["seconds"]?.number,
        let memory = line["memory"]?.integer
      else { continue }
      pieces[PlanPartition.part(of: name, parts: parts)]
        .add(PhotoCost(seconds: seconds, memory: memory))
    }
    return pieces.filter { $0.photos > 0 }
  }

  private func copy(_ piece: PlanPartition.Piece, to plan: PlanSection) throws {
    var reader = due.reader(folders[piece.folder].range)
    while let line = try reader.next() {
      if piece.parts > 1 {
        let source = SourceText(name: "plan", bytes: line)
        guard let name = JSONParser.parse(source).json?.path("file")?.lastComponent,
          PlanPartition.part(of: name, parts: piece.parts) == piece.part
        else { continue }
      }
      try plan.add(line + [UInt8(ascii: "\n")])
    }
  }
}

extension PlanPartition.Piece {
  fileprivate mutating func add(_ cost: PhotoCost) {
    seconds += cost.seconds
    photos += 1
    memory = max(memory, cost.memory)
  }
}

/// A file that is written in small pieces, and its current part.
private final class PlanSection {
  private let files: RealFileSystem
  private let temporary: FilePath
  private let file: OpenFile
  private var waiting: [UInt8] = []
  private var start: Int64 = 0
  private var digest = ChunkedDigest()
  private var isOver = false
  /// The number of bytes that were added.
  private(set) var length: Int64 = 0

  init(_ files: RealFileSystem) throws(FileSystemError) {
    self.files = files
    temporary = FilePath(root: nil, [TemporaryName().component])
    file = try files.create(temporary)
  }

  deinit { discard() }

  func beginPart() {
    start = length
    digest = ChunkedDigest()
  }

  /// The part from `beginPart` up to now.
  var part: ShardPlan.Part {
    ShardPlan.Part(offset: start, length: length - start, digest: digest.text)
  }

  func add(_ json: JSON) throws(FileSystemError) {
    try add(json.compactBytes + [UInt8(ascii: "\n")])
  }

  func add(_ bytes: [UInt8]) throws(FileSystemError) {
    digest.add(bytes)
    length += Int64(bytes.count)
    waiting += bytes
    if waiting.count >= 1 << 20 { try flush() }
  }

  func flush() throws(FileSystemError) {
    if waiting.isEmpty { return }
    try files.write(waiting, to: file)
    waiting.removeAll(keepingCapacity: true)
  }

  func reader(_ range: Range<Int64>) -> LineReader { LineReader(file, in: files, range) }

  func copy(to other: PlanSection) throws(FileSystemError) {
    var offset: Int64 = 0
    while offset < length {
      let bytes = try files.read(file, at: offset, count: 1 << 20)
      if bytes.isEmpty { return }
      try other.add(bytes)
      offset += Int64(bytes.count)
    }
  }

  /// Writes the file to the disk, and renames it to its final name.
  func finish(as name: FilePath) throws(FileSystemError) {
    try flush()
    try files.synchronize(file)
    try files.rename(temporary, to: name, .replacing)
    isOver = true
    try files.synchronize(folder: "")
  }

  func discard() {
    if isOver { return }
    isOver = true
    try? files.remove(temporary)
  }
}

/// The error for a plan that would replace another file.
public struct ExistingPlan: CommandError, Hashable {
  public let path: FilePath
  public var code: ExitCode { .cannotCreate }
  public var message: String { "'\(path.displayed)' already exists" }
  public var hint: String { "give another file with -o, or replace it with --replace" }
}

/// The error for a plan that would replace a plan whose shards are not merged.
public struct UnmergedPlan: CommandError, Hashable {
  public let path: FilePath
  /// The library or the output root, if it cannot be opened, so that the state of the shards is not
  /// known; otherwise nil.
  var missing: FilePath?
  public var code: ExitCode { .locked }
  public var message: String {
    guard let missing else { return "the shards of '\(path.displayed)' are not merged yet" }
    return "the shards of '\(path.displayed)' may not be merged yet, because"
      + " '\(missing.displayed)' cannot be opened"
  }
  public var hint: String {
    if missing != nil { return "mount that folder, or give another file with -o" }
    return "run 'phbatch merge', with --accept-missing to give up shards that are not done; or give"
      + " another file with -o"
  }
}
