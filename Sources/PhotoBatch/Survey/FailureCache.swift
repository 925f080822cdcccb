import Notation
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage

/// The photos that crashed a worker or exceeded its time or memory, stored so that the next run
/// does not try them again.
///
/// The file `.phbatch/poison` has one JSON object per line. An entry is valid only for the file's
/// bytes and the versions of phbatch and libvips. After a timeout or lack of memory, an entry is
/// also valid only for the same settings, and only if the new limit is not higher. The file may be
/// deleted; the photos are then tried again.
final class FailureCache: Sendable {
  struct Entry: Sendable, Hashable {
    /// The SHA-256 digest of the file that the worker read, in hexadecimal.
    var sha256: String
    /// The file's size in bytes; a file with another size need not be hashed.
    var size: Int
    /// The versions of phbatch and libvips, and the rendering revision.
    var engine: String
    var reason: Reason
    var detail: String
    /// The settings digest of the failed edit; nil after a crash, which does not depend on
    /// settings.
    var settings: String?
    /// The limit that was reached, in seconds after a timeout and in bytes after a lack of memory;
    /// nil after a crash.
    var limit: Int?

    /// True if another attempt with this engine, these settings and these limits, in seconds or
    /// bytes, would fail in the same way.
    func forbids(_ engine: String, _ settings: String, _ limits: [Reason: Int]) -> Bool {
      guard engine == self.engine else { return false }
      guard let limit else { return true }
      return settings == self.settings && limits[reason] ?? .max <= limit
    }
  }

  static let file = OutputRoot.stateFolder.appending("poison")
  /// The maximum number of entries; the newest are kept.
  private static let longest = 1000

  private let files: RealFileSystem
  private let path: FilePath
  private let entries: Mutex<[Entry]>

  /// Reads the failures that earlier runs recorded in an output root; if `forgets` is true, begins
  /// with an empty cache.
  ///
  /// A shard also reads the failures in its own folder, and writes all failures there.
  init(in files: RealFileSystem, forgets: Bool, _ state: CommitState = .library) {
    self.files = files
    path = Self.path(state)
    let known = forgets ? [] : Set([Self.file, path]).flatMap { Self.read($0, files) }
    entries = Mutex(known)
  }

  private static func path(_ state: CommitState) -> FilePath { state.folder.appending("poison") }

  private static func read(_ path: FilePath, _ files: RealFileSystem) -> [Entry] {
    let bytes = try? files.read(path, limit: 1 << 24)
    return (bytes ?? []).split(separator: UInt8(ascii: "\n")).compactMap { line in
      JSONParser.parse(SourceText(name: "poison", bytes: Array(line))).json.flatMap { Entry($0) }
    }
  }

  /// Adds the failures that a shard recorded.
  func add(of state: CommitState) {
    for entry in Self.read(Self.path(state), files) { add(entry) }
  }

  static func engine(libvips: String) -> String {
    "\(Engine.version) (\(Engine.revision)), libvips \(libvips)"
  }

  /// The entries of files of this size.
  func entries(size: Int) -> [Entry] { entries.withLock { $0.filter { $0.size == size } } }

  /// Adds the entry of a photo that failed, and writes the cache to its file.
  ///
  /// If the file cannot be written, the next run tries the photo again.
  func add(_ entry: Entry) {
    entries.withLock { entries in
      entries.removeAll { $0.sha256 == entry.sha256 && $0.settings == entry.settings }
      entries.append(entry)
      let text = entries.suffix(Self.longest).map { $0.json.compactText + "\n" }.joined()
      try? files.replace(path, with: Array(text.utf8))
    }
  }
}

extension FailureCache.Entry {
  fileprivate var json: JSON {
    var object = JSON.Object()
    object["sha256"] = .string(sha256)
    object["size"] = .integer(size)
    object["engine"] = .string(engine)
    object["reason"] = .string(reason.rawValue)
    object["detail"] = .string(detail)
    object["settings"] = settings.map(JSON.string)
    object["limit"] = limit.map(JSON.integer)
    return .object(object)
  }

  fileprivate init?(_ json: JSON) {
    guard let sha256 = json["sha256"]?.string, let size = json["size"]?.integer,
      let engine = json["engine"]?.string, let detail = json["detail"]?.string,
      let reason = json["reason"]?.string.flatMap({ Reason(rawValue: $0) })
    else { return nil }
    self.init(
      sha256: sha256, size: size, engine: engine, reason: reason, detail: detail,
      settings: json["settings"]?.string, limit: json["limit"]?.integer)
  }
}

/// Checks a file against the failure cache before a worker gets it, and records new failures.
struct FailureCheck {
  let file: OpenFile
  /// The size of the photo's file in bytes.
  let size: Int
  /// The settings digest of the edit; "header" if only the photo's header is read.
  let settings: String
  let engine: String
  let context: EditContext

  /// Throws if an earlier run failed with this file, and this run would fail in the same way.
  func throwIfKnown() throws(PhotoFailure) {
    let known = context.failures.entries(size: size).filter {
      $0.forbids(engine, settings, limits)
    }
    if known.isEmpty { return }
    let sha256 = try digest()
    guard let entry = known.last(where: { $0.sha256 == sha256 }) else { return }
    throw PhotoFailure(
      entry.reason, "\(entry.detail) (result of an earlier run)",
      hint: "use --refresh to try it again")
  }

  /// Records a failure that another attempt would repeat: a crash, a timeout or a lack of memory.
  func remember(_ failure: PhotoFailure) {
    guard [.decoderCrash, .outOfMemory, .timeout].contains(failure.reason), failure.code == nil,
      !failure.isCancelled, let sha256 = try? digest()
    else { return }
    let limit = limits[failure.reason]
    context.failures.add(
      FailureCache.Entry(
        sha256: sha256, size: size, engine: engine, reason: failure.reason,
        detail: failure.detail ?? "", settings: limit == nil ? nil : settings, limit: limit))
  }

  private var limits: [Reason: Int] {
    [
      .timeout: Int(context.options.timeout.components.seconds),
      .outOfMemory: context.options.memory ?? MemoryBudget.standard,
    ]
  }

  private func digest() throws(PhotoFailure) -> String {
    try PhotoFailure.attempt { "\(try Digest(of: file, in: context.root.library))" }
  }
}
